import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '../../src/fault.ts'
import {
  addAgent,
  addLink,
  chargeRegistration,
  forgetTokens,
  keyWorks,
  type Model,
  type ModelAgent,
  newestPending,
  replaceKey,
  statusOf,
} from './agent-model.ts'
import { ADMIN, newAgent, type openIdentity, registration, tokenIn, userOf } from './identity.ts'

export type Real = {
  identity: Awaited<ReturnType<typeof openIdentity>>
  reopen(): Promise<void>
}

type Command = fc.AsyncCommand<Model, Real>
type Step = (model: Model, real: Real) => Promise<void>

/** A command that compares the state of all agents and keys with the model after its step. */
function command(name: string, step: Step): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      await step(model, real)
      await compare(model, real)
    },
    toString: () => name,
  }
}

async function compare(model: Model, { identity }: Real): Promise<void> {
  const keys = model.agents.flatMap((agent) => agent.keys.map((key) => ({ agent, key })))
  const works = await Promise.all(keys.map(({ key }) => identity.works(key.apiKey)))
  const expected = keys.map(({ agent, key }) => keyWorks(model, agent, key))
  assert.deepEqual(works, expected, 'exactly the keys of the model work')
  const { agents } = await identity.listAgents(ADMIN, { all: true, cursor: undefined, limit: 100 })
  const states = agents.map(({ id, status }) => ({ id, status })).toReversed()
  const expectedStates = model.agents.map((agent) => ({ id: agent.id, status: statusOf(model, agent) }))
  assert.deepEqual(states, expectedStates)
}

/** The refusal's code, or undefined when it worked. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    assert(error instanceof Fault, String(error))
    return error.code
  }
}

/** A step with one of the existing agents; no effect if there are none. */
function withAgent(
  name: string,
  pick: number,
  step: (agent: ModelAgent, model: Model, real: Real) => Promise<void>,
): Command {
  return command(`${name} #${pick}`, async (model, real) => {
    const agent = model.agents[pick % model.agents.length]
    if (agent) await step(agent, model, real)
  })
}

const selfRegister = (owner: string, ip: string) =>
  command(`${owner} registers from ${ip}`, async (model, { identity }) => {
    const retryAt = chargeRegistration(model, ip)
    const attempt = identity.selfRegister(registration(owner, ip))
    if (retryAt !== undefined) {
      const retryAfterSeconds = Math.ceil((retryAt - model.now) / 1_000)
      await assert.rejects(attempt, { code: 'rate_limited', retryAfterSeconds })
      return
    }
    const { agent, apiKey } = await attempt
    const added = addAgent(model, { id: agent.id, owner, status: 'pending_verification' }, apiKey)
    addLink(model, added, tokenIn((await identity.mails()).at(-1)?.text ?? ''))
  })

const registerAsUser = (owner: string) =>
  command(`${owner} registers as a user`, async (model, { identity }) => {
    const { agent, apiKey } = await identity.registerAgent(userOf(owner), newAgent())
    addAgent(model, { id: agent.id, owner, status: 'active' }, apiKey)
  })

const verify = (pick: number, which: number) =>
  withAgent('verify', pick, async (agent, model, { identity }) => {
    const token = agent.tokens[which % agent.tokens.length] ?? 'none'
    const isAlive = model.now < (model.tokens.get(token) ?? 0)
    const isAllowed = isAlive && (agent.status === 'pending_verification' || agent.status === 'active')
    const code = await codeOf(identity.verifyEmail(token))
    assert.equal(code, isAllowed ? undefined : 'invalid_input')
    if (isAllowed) agent.status = 'active'
  })

const resend = (owner: string) =>
  command(`resend to ${owner}`, async (model, { identity }) => {
    const before = (await identity.mails()).length
    await identity.resendVerification(owner)
    const mails = await identity.mails()
    const agent = newestPending(model, owner)
    assert.equal(mails.length, agent ? before + 1 : before)
    if (agent) addLink(model, agent, tokenIn(mails.at(-1)?.text ?? ''))
    else forgetTokens(model)
  })

const rotate = (pick: number, graceSeconds: number) =>
  withAgent(`rotate (${graceSeconds} s)`, pick, async (agent, model, { identity }) => {
    const attempt = identity.rotateKey(userOf(agent.owner), agent.id, graceSeconds)
    if (agent.status !== 'active') {
      assert.equal(await codeOf(attempt), agent.status === 'suspended' ? 'invalid_input' : 'not_found')
      return
    }
    const rotated = await attempt
    assert.equal(rotated.previousKeyExpiresAt, model.now + graceSeconds * 1_000)
    replaceKey(model, agent, rotated.apiKey, graceSeconds)
  })

const revoke = (pick: number) =>
  withAgent('revoke', pick, async (agent, _model, { identity }) => {
    await identity.revokeAgent(userOf(agent.owner), agent.id)
    agent.status = 'revoked'
  })

const setStatus = (pick: number, status: 'active' | 'suspended') =>
  withAgent(`set ${status}`, pick, async (agent, _model, { identity }) => {
    const isAllowed = agent.status === 'active' || agent.status === 'suspended'
    const code = await codeOf(identity.updateAgent(ADMIN, agent.id, { status, rateLimits: undefined }))
    assert.equal(code, isAllowed ? undefined : 'invalid_input')
    if (isAllowed) agent.status = status
  })

const promote = (pick: number) =>
  withAgent('promote', pick, async (agent, model, { identity }) => {
    const attempt = identity.registerAgent(ADMIN, newAgent({ tier: 'pro', replaces: agent.id }))
    if (agent.status === 'revoked') {
      assert.equal(await codeOf(attempt), 'not_found')
      return
    }
    const promoted = await attempt
    assert.equal(promoted.agent.owner, agent.owner)
    agent.status = 'revoked'
    addAgent(model, { id: promoted.agent.id, owner: agent.owner, status: 'active' }, promoted.apiKey)
  })

const trespass = (pick: number) =>
  withAgent('a stranger tries', pick, async (agent, _model, { identity }) => {
    const stranger = userOf('stranger@example.com')
    assert.equal(await codeOf(identity.rotateKey(stranger, agent.id, 60)), 'not_found')
    assert.equal(await codeOf(identity.revokeAgent(stranger, agent.id)), 'not_found')
  })

const moveClock = (ms: number) =>
  command(`clock ${ms} ms`, async (model) => {
    model.now += ms
  })

const reopen = () => command('reopen the store', (_model, real) => real.reopen())

const owner = fc.constantFrom('a@example.com', 'b@example.com')
const ip = fc.constantFrom('192.0.2.1', '192.0.2.2')
const pick = fc.nat({ max: 30 })
const HOURS = 3_600_000
const steps = [1, 1_000, 59_000, HOURS, 6 * HOURS, 24 * HOURS - 1, 24 * HOURS]
const time = fc.constantFrom(...steps, ...steps.map((step) => -step))

const registrations = fc.tuple(owner, ip).map(([who, where]) => selfRegister(who, where))

export const agentCommands = fc.commands(
  [
    // Registrations and clock moves are listed twice, so that limits are reached often.
    registrations,
    registrations,
    owner.map(registerAsUser),
    fc.tuple(pick, fc.nat({ max: 3 })).map(([agent, token]) => verify(agent, token)),
    owner.map(resend),
    fc.tuple(pick, fc.constantFrom(0, 1, 60, 604_800)).map(([agent, grace]) => rotate(agent, grace)),
    pick.map(revoke),
    fc.tuple(pick, fc.constantFrom('active', 'suspended')).map(([agent, status]) => setStatus(agent, status)),
    pick.map(promote),
    pick.map(trespass),
    time.map(moveClock),
    time.map(moveClock),
    fc.constant(reopen()),
  ],
  { size: '+1', maxCommands: 50 },
)

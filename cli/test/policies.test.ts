import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Input, StakewrightError } from '@stakewright/client'
import { connectMcp } from '../../server/test/mcp/mcp-client.ts'
import { signIn } from '../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { type } from './typed-line.ts'

const AMOUNT = '10000000000'
const STAKES = { rule: 'actions', allow: ['stake'] } as const

/** A service with an agent under a policy, and the environment of its owner's shell. */
async function openWithPolicy(rules: Input<'writePolicy'>['rules']) {
  const app = await openTestApp()
  const token = await signIn(app, 'ann@example.com')
  const ann = app.client({ token })
  const { data: agent } = await ann.registerAgent({ agentName: 'held' })
  await ann.writePolicy({ id: agent.id, rules })
  const validatorId = (await ann.validators()).data.find(({ status }) => status === 'active')?.id ?? ''
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: agent.apiKey, STAKEWRIGHT_TOKEN: token }
  return { app, agent, validatorId, env, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('a policy refuses with the same details by REST, MCP, command line and simulation', async () => {
  await using opened = await openWithPolicy([
    STAKES,
    { rule: 'maxPerWindow', amount: '1', window: 'hour' },
    { rule: 'paused' },
    { rule: 'maxPerWindow', amount: '1', window: 'day' },
    { rule: 'maxPerTx', amount: '1' },
  ])
  const { app, agent, validatorId, env } = opened
  const key = app.client({ apiKey: agent.apiKey })
  const wish = { validatorId, amount: AMOUNT }
  const byRest = await key.buildStake(wish).catch((error: unknown) => error)
  assert(byRest instanceof StakewrightError)
  assert.deepEqual(
    byRest.details.map(({ rule }) => rule),
    ['maxPerWindow', 'paused', 'maxPerWindow', 'maxPerTx'],
    'in the order of the policy',
  )

  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': agent.apiKey })
  const byMcp = await mcp.call('build_stake', wish)
  assert(byMcp.isError)
  const places = byRest.details.map(({ message }) => byMcp.text.indexOf(message ?? '?'))
  assert(!places.includes(-1), byMcp.text)
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )

  const byCli = await type(`tx stake ${validatorId} ${AMOUNT}`, { env })
  assert.deepEqual([byCli.code, byCli.json().error.code], [4, 'forbidden'])
  const typed = byRest.details.map((detail) =>
    detail.field === 'amount' ? { ...detail, option: 'AMOUNT' } : detail,
  )
  assert.deepEqual(byCli.json().error.details, typed)

  const { allowed, broken } = await key.simulatePolicy({ items: [{ action: 'stake', ...wish }] })
  assert(!allowed)
  type Broken = Partial<(typeof broken)[number]>
  const limits = ({ rule, limit, actual, clearsAt }: Broken) => ({ rule, limit, actual, clearsAt })
  assert.deepEqual(broken.map(limits), byRest.details.map(limits))
  const items = JSON.stringify([{ action: 'stake', ...wish }])
  const asked = await type(['simulate-policy', '--items', items], { env })
  assert.deepEqual([asked.code, asked.json().error.code], [4, 'forbidden'])
  assert.deepEqual(asked.json().data.broken.map(limits), broken.map(limits))
})

test('10: a build that needs the owner’s approval says so, and succeeds once it is approved', async () => {
  await using opened = await openWithPolicy([STAKES, { rule: 'approvalAbove', amount: '1' }])
  const { app, agent, validatorId, env } = opened
  const line = `tx stake ${validatorId} ${AMOUNT}`
  const waiting = await type(line, { env })
  const { code, approval } = waiting.json().error
  assert.deepEqual([waiting.code, code], [10, 'approval_needed'])
  const approvalId = approval?.approvalId
  const shown = (await type(line, { env, isTerminal: true })).stderr
  assert.match(
    shown,
    /Nothing was built yet: this moves 10000000000 smallest units; the owner of the agent must approve transactions above 1/,
  )
  assert(shown.includes(`${app.url}/approve/${agent.id}/${approvalId} before `), shown)
  const next = `stakewright ${line} --approval-id ${approvalId}`
  assert(shown.includes(`Next: ${next}`), shown)
  const decided = await type(`decide-approval ${agent.id} ${approvalId} --decision approve`, { env })
  assert.equal(decided.code, 0, decided.stdout)
  const built = await type(next.replace('stakewright ', ''), { env })
  assert.equal(built.code, 0, built.stdout)
  assert(built.json().data.commands.length > 0)
})

test('a policy without its revision is refused with the option that takes it, and the command that reads it', async () => {
  await using opened = await openWithPolicy([STAKES])
  const { agent, env } = opened
  const refused = await type(['write-policy', agent.id, '--rules', JSON.stringify([STAKES])], { env })
  const { message, fix, next } = refused.json().error
  assert.equal(refused.code, 2)
  assert.match(message, /^--revision, or the header If-Match, is required: the agent has revision 1/)
  assert.match(fix ?? '', /as --revision or as the header If-Match/)
  assert.equal(next?.command, `stakewright read-policy ${agent.id}`)
})

test('a contradictory policy is refused with the same messages by REST and command line', async () => {
  await using opened = await openWithPolicy([STAKES])
  const { app, agent, validatorId, env } = opened
  const rules = [
    STAKES,
    { rule: 'validators', allow: [validatorId], deny: [validatorId] },
    { rule: 'expires', at: '2020-01-01T00:00:00Z' },
  ] as const
  const ann = app.client({ token: env.STAKEWRIGHT_TOKEN })
  const written = ann.writePolicy({ id: agent.id, rules, revision: 1 })
  const byRest = await written.catch((error: unknown) => error)
  assert(byRest instanceof StakewrightError)
  const line = ['write-policy', agent.id, '--revision', '1', '--rules', JSON.stringify(rules)]
  const byCli = await type(line, { env })
  const { code, details } = byCli.json().error
  assert.deepEqual([byCli.code, code], [2, 'invalid_input'])
  const words = byRest.details.map(({ field, message }) => [field, message])
  assert.equal(words.length, 2)
  assert.deepEqual(
    details?.map(({ field, message }) => [field, message]),
    words,
  )
})

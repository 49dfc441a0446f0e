import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Input } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ENV = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: '100000' }
const ALL = `${LIMITS.sandboxLoanCoins}000000000`
const COPIES = 98

type Commands = Input<'sandboxExecute'>['commands']
type Run = (commands: Commands, intent?: unknown) => Promise<{ status: number; body: { fix?: string } }>

const newKey = async (app: TestApp) => (await app.client().sandboxKey({ agentName: 'player' })).data.apiKey

/** Executes as `ME` with the key, from a network address. */
const runnerAt =
  (app: TestApp, apiKey: string, address: string): Run =>
  async (commands, intent) => {
    const answer = await sendRaw(app.url, 'POST /api/v1/sandbox/execute', {
      headers: ['X-API-Key', apiKey, 'X-Forwarded-For', address],
      json: { sender: ME, commands, ...(intent ? { intent } : {}) },
    })
    return { status: answer.status, body: JSON.parse(answer.text) }
  }

/** A transaction that makes as many staked tokens as one may. */
async function manyStakes(agent: Client, amount = '1000000000'): Promise<Commands> {
  const { data } = await agent.validators({ status: 'active', limit: 1 })
  const { commands } = await agent.buildStake({ validatorId: data[0]?.id ?? '', amount })
  return Array.from({ length: COPIES }, (_, copy) =>
    JSON.parse(
      JSON.stringify(commands)
        .replaceAll(/"(id|of)":"([a-z]+)"/g, `"$1":"$2${copy}"`)
        .replaceAll(`"kind":"pure","type":"id${copy}"`, '"kind":"pure","type":"id"'),
    ),
  ).flat()
}

/** Repeats a call until it is refused with 403; returns how often it was done, and the refusal. */
async function untilRefused(run: () => ReturnType<Run>, most: number) {
  for (let done = 0; done < most; done += 1) {
    const { status, body } = await run()
    if (status === 403) return { done, fix: body.fix }
    assert.equal(status, 200)
  }
  return { done: most, fix: undefined }
}

test('403: one key, and all keys of one address, may hold a share of the staked tokens; others stake on', async () => {
  await using app = await openTestApp({ env: ENV })
  const keys = await Promise.all(Array.from({ length: 4 }, () => newKey(app)))
  const [first = '', second = '', third = '', fourth = ''] = keys
  const commands = await manyStakes(app.client({ apiKey: first }))
  const fill = (apiKey: string, address: string) =>
    untilRefused(() => runnerAt(app, apiKey, address)(commands), 12)
  const greedy = await fill(first, '198.51.100.7')
  assert.equal(greedy.done, 9, 'a tenth of ten thousand, less the tokens of simulated delegators')
  assert.match(greedy.fix ?? '', /^Join or withdraw some/)
  const others = (await fill(second, '198.51.100.7')).done + (await fill(third, '198.51.100.7')).done
  assert(others > 8 && others < 11, `the address may have a fifth: ${9 + others} times ${COPIES}`)
  assert((await fill(fourth, '203.0.113.9')).done > 5)
})

test('403: one key may have the results of a share of the transactions remembered; others execute on', async () => {
  await using app = await openTestApp({ env: ENV })
  const [greedy, modest] = [await newKey(app), await newKey(app)]
  const agent = app.client({ apiKey: greedy })
  const [{ id } = { id: '' }] = (await agent.validators({ status: 'active', limit: 1 })).data
  const build = { validatorId: id, amount: '100000000000', sender: ME }
  const { intent } = await agent.buildStake(build)
  const { created } = await agent.sandboxExecute(await agent.buildStake(build).then(asked))
  const whole = created[0]?.stakedTokenId ?? ''
  const parts = Array.from({ length: 90 }, (_, part) => `part${part}`)
  const call = (name: string, commandId: string, last: unknown) => ({
    kind: 'moveCall',
    id: commandId,
    target: `${intent.calls[0]?.split('::')[0]}::staked_token::${name}`,
    typeArguments: [],
    arguments: [{ kind: 'ownedObject', objectId: whole }, last],
  })
  // Makes ninety tokens, which the record of the transaction lists, and keeps the number of tokens low.
  const split = [
    ...parts.map((part) => call('split', part, { kind: 'pure', type: 'u64', value: '1000000000' })),
    ...Array.from({ length: 9 }, (_, ten) => ({
      kind: 'transferToSender',
      objects: parts.slice(ten * 10, ten * 10 + 10).map((of) => ({ kind: 'result', of })),
    })),
  ] as Commands
  let nonce = 0
  const run = runnerAt(app, greedy, '198.51.100.7')
  const splitAndJoin = async () => {
    nonce += 1
    const answer = await run(split, { expiresEpoch: intent.expiresEpoch, nonce: `${nonce}` })
    if (answer.status !== 200) return answer
    const { positions } = await agent.positions({ owner: ME, limit: 100 })
    const others = positions.map(({ stakedTokenId }) => stakedTokenId).filter((one) => one !== whole)
    const joins = others.map((one, at) => call('join', `join${at}`, { kind: 'ownedObject', objectId: one }))
    return run(joins as Commands)
  }
  const { done, fix } = await untilRefused(splitAndJoin, 20)
  assert(done > 5 && done < 15, `${done} transactions`)
  assert.match(fix ?? '', /^Advance it by two epochs/)
  const other = app.client({ apiKey: modest })
  const answer = await other.sandboxExecute(await other.buildStake(build).then(asked))
  assert.equal(answer.status, 'done')
})

const asked = ({ commands, intent }: Awaited<ReturnType<Client['buildStake']>>) => ({
  sender: ME,
  commands,
  intent,
})

test('403: staked tokens can be used with the keys of the owner that staked them only', async () => {
  await using app = await openTestApp({ env: ENV })
  const [owner, stranger] = [await newKey(app), await newKey(app)]
  const [mine, theirs] = [app.client({ apiKey: owner }), app.client({ apiKey: stranger })]
  const [{ id } = { id: '' }] = (await mine.validators({ status: 'active', limit: 1 })).data
  const held = await stakeInSandbox(mine, id, ALL)
  await mine.sandboxAdvance({ epochs: 1 })
  const { commands, simulation } = await theirs.buildUnstake(held)
  assert.equal(simulation.status, 'failed')
  const refusal = {
    code: 'forbidden',
    message: /was staked with another key/,
    fix: /^Send the request with the key that staked it/,
  }
  await assert.rejects(theirs.sandboxExecute({ sender: ME, commands }), refusal)
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock, env: ENV })
  const [same, other] = [again.client({ apiKey: owner }), again.client({ apiKey: stranger })]
  await assert.rejects(other.sandboxExecute({ sender: ME, commands }), refusal)
  await same.sandboxExecute({ sender: ME, commands })
  await same.sandboxAdvance({ epochs: 2 })
  const withdraw = await same.buildWithdraw(held)
  await assert.rejects(other.sandboxExecute({ sender: ME, commands: withdraw.commands }), refusal)
  await same.sandboxExecute({ sender: ME, commands: withdraw.commands })
  await stakeInSandbox(same, id, ALL)
})

test('403: no key takes the stake of simulated delegators away, which keeps the validators in the set for all', async () => {
  await using app = await openTestApp({ env: ENV })
  const key = app.client({ apiKey: await newKey(app) })
  const [{ id: validatorId } = { id: '' }] = (await key.validators({ status: 'active', limit: 1 })).data
  const { delegators } = await key.delegators({ validatorId, limit: 100 })
  let tried = 0
  for (const { owner } of delegators) {
    const { positions } = await key.positions({ owner })
    for (const { stakedTokenId, state } of positions.filter((each) => each.validatorId === validatorId)) {
      if (state !== 'active') continue
      const { commands } = await key.buildUnstake({ stakedTokenId, sender: owner })
      tried += 1
      await assert.rejects(key.sandboxExecute({ sender: owner, commands }), {
        code: 'forbidden',
        message: /belongs to a simulated delegator/,
        fix: /^Stake with your key/,
      })
    }
  }
  assert(tried > 3, `${tried} tokens`)
})

test('200: agents of one owner use each other’s staked tokens, which pay back the loan of the agent that staked them', async () => {
  await using app = await openTestApp({ env: ENV })
  const ann = app.client({ token: await signIn(app, 'ann@example.com') })
  const agents: Client[] = []
  for (const agentName of ['one', 'two']) {
    const { data } = await ann.registerAgent({ agentName, tier: 'builder' })
    agents.push(app.client({ apiKey: data.apiKey }))
  }
  const [one, two] = agents
  assert(one && two)
  const [{ id } = { id: '' }] = (await one.validators({ status: 'active', limit: 1 })).data
  const held = await stakeInSandbox(one, id, ALL)
  await stakeInSandbox(two, id, ALL)
  await one.sandboxAdvance({ epochs: 1 })
  const execute = async ({ commands }: { readonly commands: Commands }) =>
    assert.equal((await two.sandboxExecute({ sender: ME, commands })).status, 'done')
  await execute(await two.buildUnstake(held))
  await one.sandboxAdvance({ epochs: 2 })
  await execute(await two.buildWithdraw(held))
  await assert.rejects(stakeInSandbox(two, id, TEN), { code: 'forbidden' })
  await stakeInSandbox(one, id, ALL)
})

test('200: in a crowded sandbox, staked tokens that nobody has used for a month give their room to others', async () => {
  await using app = await openTestApp({ env: { ...ENV, SANDBOX_EPOCH_MS: '864000000' } })
  const keys = await Promise.all(Array.from({ length: 9 }, () => newKey(app)))
  const commands = await manyStakes(app.client({ apiKey: keys[0] ?? '' }))
  const fill = (apiKey: string, at: number) =>
    untilRefused(() => runnerAt(app, apiKey, `203.0.113.${at}`)(commands), 12)
  let filled = 0
  for (const [at, apiKey] of keys.slice(1).entries()) filled += (await fill(apiKey, at)).done * COPIES
  assert(filled > 4_900, `${filled} tokens, and those of simulated delegators`)
  const later = keys[0] ?? ''
  assert((await fill(later, 100)).done < 5)
  app.clock.advance(32 * 86_400_000)
  await app.runJob('watch-network')
  assert((await fill(later, 100)).done > 2, 'those of all others are gone')
})

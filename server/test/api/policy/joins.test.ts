import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { settlesAt } from '../../policy/accepted-until.ts'
import { joinableTokensOn, ME, stakeInSandbox } from '../../support/holdings.ts'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { breachesOf } from '../refused.ts'

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw', 'join'] } as const
const DAY = { rule: 'maxPerWindow', amount: '20000000000', window: 'day' } as const
const PART = '20000000000'

/** An agent under these rules, and three tokens that can be joined and have earned for an epoch. */
async function openWith(...rules: Input<'writePolicy'>['rules']) {
  const app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data: agent } = await ann.registerAgent({ agentName: 'joiner', tier: 'builder' })
  const { data } = await ann.registerAgent({ agentName: 'without a policy', tier: 'builder' })
  const free = app.client({ apiKey: data.apiKey })
  const { stakedTokenIds } = await joinableTokensOn('sandbox', free)
  await free.sandboxAdvance({ epochs: 2 })
  await ann.writePolicy({ id: agent.id, rules })
  const key = app.client({ apiKey: agent.apiKey })
  const join = (ids = stakedTokenIds) => key.buildJoin({ stakedTokenIds: ids, sender: ME })
  const take = (stakedTokenId = stakedTokenIds[0] ?? '') =>
    key.buildUnstake({ stakedTokenId, amount: PART, sender: ME })
  const run = ({ commands }: { readonly commands: Input<'sandboxExecute'>['commands'] }) =>
    key.sandboxExecute({ sender: ME, commands })
  return {
    ...{ app, agent, ann, key, free, stakedTokenIds, join, take, run },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

test('403: a policy that does not name joins allows none, and one that names only joins allows nothing else', async () => {
  await using strict = await openWith({ rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] })
  assert.deepEqual(
    (await breachesOf(strict.join())).map(({ rule }) => rule),
    ['actions'],
  )
  await using opened = await openWith({ rule: 'actions', allow: ['join'] }, { rule: 'maxPerTx', amount: '1' })
  assert.equal((await opened.join()).action, 'join')
  assert.equal((await breachesOf(opened.take()))[0]?.rule, 'actions')
})

test('200: a join moves nothing: no window counts it, no approval is asked, holdings stay as they are', async () => {
  await using opened = await openWith(
    ...[ALL, DAY, { rule: 'maxPerTx', amount: '20000000000' } as const],
    ...[{ rule: 'approvalAbove', amount: '20000000000' } as const, { rule: 'maxShare', share: 0.1 } as const],
    { rule: 'minValidators', validators: 5 },
  )
  const { join, run, ann, agent } = opened
  const built = await join()
  const { data } = await ann.listReservations({ id: agent.id })
  assert.deepEqual(
    data.map(({ intentId, items }) => [intentId, items.map(({ action, amount }) => [action, amount])]),
    [[built.intentId, [['join', '1347000000000']]]],
  )
  assert.equal((await run(built)).status, 'done')
  assert.equal((await ann.listReservations({ id: agent.id })).data.length, 1)
})

test('403: a join cannot hide a partial unstake: of one token only one of the two is built at a time', async () => {
  await using opened = await openWith(ALL, DAY)
  const { key, stakedTokenIds, join, take, run } = opened
  const part = await take()
  const [refused] = await breachesOf(join())
  assert.equal(refused?.rule, 'oneTransactionPerToken')
  assert.equal(refused?.clearsAt, new Date(settlesAt(part)).toISOString())
  // Others may be joined, and the same join may be built again: the chain takes one of both.
  const others = stakedTokenIds.slice(1)
  const joins = [await join(others), await join(others)]
  assert.equal((await breachesOf(join([...others].reverse())))[0]?.rule, 'oneTransactionPerToken')
  for (const { intentId } of [part, ...joins]) await key.releaseReservation({ intentId })
  const joined = await join()
  assert.equal((await breachesOf(take()))[0]?.rule, 'oneTransactionPerToken')
  await key.releaseReservation({ intentId: joined.intentId })
  const taken = await take()
  assert.equal((await run(taken)).status, 'done')
  // The chain shows the unstake, so that it counts for good, and the join is allowed.
  assert.equal((await run(await join())).status, 'done')
  await assert.rejects(key.releaseReservation({ intentId: taken.intentId }), { code: 'invalid_input' })
  assert.deepEqual(
    (await breachesOf(take())).map(({ rule }) => rule),
    ['maxPerWindow'],
  )
})

test('200: a join that was carried out is shown as such, and one that was not can be released', async () => {
  await using opened = await openWith(ALL, DAY)
  const { key, join, run, ann, agent } = opened
  const first = await join()
  await key.releaseReservation({ intentId: first.intentId })
  const second = await join()
  assert.equal((await run(second)).status, 'done')
  await assert.rejects(key.releaseReservation({ intentId: second.intentId }), { code: 'invalid_input' })
  const { data } = await ann.listReservations({ id: agent.id })
  assert.deepEqual(
    data.map(({ intentId, state }) => [intentId, state]),
    [[second.intentId, 'carriedOut']],
  )
})

test('202: the owner approves exactly the tokens that are joined beside a stake', async () => {
  await using opened = await openWith(ALL, { rule: 'approvalAbove', amount: '1' })
  const { key, ann, agent, stakedTokenIds } = opened
  const { data } = await key.validators({ status: 'active', limit: 1 })
  const stake = { action: 'stake', validatorId: data[0]?.id ?? '', amount: PART } as const
  const build = (ids: readonly string[], approvalId?: string) =>
    key.buildBatch({
      items: [{ action: 'join', stakedTokenIds: [...ids] }, stake],
      sender: ME,
      ...(approvalId && { approvalId }),
    })
  await assert.rejects(build(stakedTokenIds), { code: 'approval_needed' })
  const [waiting] = (await ann.listApprovals({ id: agent.id })).data
  const [first, ...others] = stakedTokenIds
  assert.deepEqual([waiting?.amount, waiting?.reason.actual], [PART, PART])
  assert.deepEqual(
    waiting?.items.map(({ action, stakedTokenId, joinedIds }) => ({ action, stakedTokenId, joinedIds })),
    [
      { action: 'join', stakedTokenId: first, joinedIds: others },
      { action: 'stake', stakedTokenId: null, joinedIds: undefined },
    ],
  )
  const approvalId = waiting?.approvalId ?? ''
  await ann.decideApproval({ id: agent.id, approvalId, decision: 'approve' })
  await assert.rejects(build(stakedTokenIds.slice(0, 2), approvalId), { code: 'invalid_input' })
  assert.equal((await build(stakedTokenIds, approvalId)).items.length, 2)
})

test('403: a stake that was joined to a larger one goes on counting', async () => {
  await using opened = await openWith(ALL, DAY, { rule: 'senders', allow: [ME] })
  const { app, key, free, run } = opened
  const { data } = await key.validators({ status: 'active', limit: 1 })
  const validatorId = data[0]?.id ?? ''
  const stake = () => key.buildStake({ validatorId, amount: PART, sender: ME })
  const { stakedTokenId: larger } = await stakeInSandbox(free, validatorId, '30000000000')
  const built = await stake()
  const { created } = await run(built)
  const stakedTokenIds = [larger, created[0]?.stakedTokenId ?? '']
  // Joined by an agent without a policy; afterwards there is one token, with more than the stake.
  await run(await free.buildJoin({ stakedTokenIds, sender: ME }))
  await assert.rejects(key.releaseReservation({ intentId: built.intentId }), { code: 'invalid_input' })
  app.clock.set(settlesAt(built))
  await app.runJob('watch-network')
  assert.deepEqual(
    (await breachesOf(stake())).map(({ rule }) => rule),
    ['maxPerWindow'],
  )
})

test('403: the refusal of a join names the tokens that another transaction holds, wherever they are in its list', async () => {
  await using opened = await openWith(ALL, { rule: 'maxPerTx', amount: PART })
  const { key, stakedTokenIds, take } = opened
  const [a = '', b = '', c = ''] = stakedTokenIds
  const namedFor = async (ids: readonly string[]) => {
    const items = [{ action: 'join', stakedTokenIds: [...ids] }] as const
    const { broken } = await key.simulatePolicy({ items, sender: ME })
    return broken.map(({ actual }) => actual.slice(0, actual.indexOf(' may still be')))
  }
  const { intentId } = await take(a)
  const first = `another one for ${a}: the transaction with intentId ${intentId}`
  assert.deepEqual(await namedFor([a, b]), [first])
  assert.deepEqual(await namedFor([b, a]), [first])
  const joined = await key.buildJoin({ stakedTokenIds: [b, c], sender: ME })
  const second = `another one for ${c}, ${b}: the transaction with intentId ${joined.intentId}`
  assert.deepEqual(await namedFor([c, a, b]), [first, second])
})

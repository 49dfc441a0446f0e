import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { MINUTE_MS } from '../../../src/durations.ts'
import { settlesAt } from '../../policy/accepted-until.ts'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { breachesOf } from '../refused.ts'

const ANN = 'ann@example.com'
const TWO = '2000000000'
const FOUR = '4000000000'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const

/** A stake of ten with each of `count` validators, and an agent under the rule. */
async function openWithHoldings(count: number, rule: Input<'writePolicy'>['rules'][number]) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '1000' } }))
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 1_000, rpd: 10_000 } })
  const key = app.client({ apiKey: agent.apiKey })
  const free = await clientOfTier(app, 'builder')
  const { data } = await key.validators()
  const ids = data.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  const tokens: string[] = []
  for (const id of ids.slice(0, count)) tokens.push((await stakeInSandbox(free, id)).stakedTokenId)
  await ann.writePolicy({ id: agent.id, rules: [ALL, rule] })
  const stake = (validatorId: string, amount = FOUR) => key.buildStake({ validatorId, amount, sender: ME })
  const resources = opened.move()
  return { app, key, free, ids, tokens, stake, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const firstBreach = async (build: Promise<unknown>) => (await breachesOf(build))[0]

test('403: builds that each keep a share cannot exceed it together, simultaneous or one after the other', async () => {
  await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.6 })
  const { key, ids, stake } = opened
  const [a = '', b = ''] = ids
  const answers = await Promise.allSettled(Array.from({ length: 4 }, () => stake(a)))
  const [first, ...others] = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  assert(first && others.length === 0)
  const refused = await firstBreach(stake(a))
  assert.deepEqual([refused?.rule, refused?.clearsAt], ['maxShare', new Date(settlesAt(first)).toISOString()])
  const items = [{ action: 'stake', validatorId: a, amount: FOUR }] as const
  assert.equal((await key.simulatePolicy({ items, sender: ME })).allowed, false)
  await firstBreach(key.buildBatch({ items, sender: ME }))
  await stake(b, '1000000000')
  await key.releaseReservation({ intentId: first.intentId })
  const second = await stake(a)
  assert.equal((await key.sandboxExecute({ sender: ME, commands: second.commands })).status, 'done')
  const broken = await firstBreach(stake(a))
  assert.deepEqual([broken?.rule, broken?.clearsAt], ['maxShare', null], 'it is staked now, and counts once')
})

test('200: a build that was not carried out in time no longer counts', async () => {
  await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.6 })
  const { app, ids, stake } = opened
  const [a = ''] = ids
  const over = settlesAt(await stake(a))
  app.clock.set(over - 1)
  await app.runJob('watch-network')
  await firstBreach(stake(a))
  app.clock.advance(1)
  await stake(a)
})

test('403: two unstakes that each leave enough validators cannot leave too few together', async () => {
  await using opened = await openWithHoldings(3, { rule: 'minValidators', validators: 2 })
  const { key, tokens } = opened
  const [first = '', second = '', third = ''] = tokens
  const take = (stakedTokenId: string) => key.buildUnstake({ stakedTokenId, sender: ME })
  const built = await take(first)
  assert.equal((await firstBreach(take(second)))?.rule, 'minValidators')
  const all = [first, second, third].map((stakedTokenId) => ({ action: 'unstake' as const, stakedTokenId }))
  await key.buildBatch({ items: all, sender: ME })
  await key.releaseReservation({ intentId: built.intentId })
})

test('403: while an exit from all validators is pending, a stake must itself be with enough validators', async () => {
  await using opened = await openWithHoldings(3, { rule: 'minValidators', validators: 3 })
  const { key, ids, tokens, stake } = opened
  const [d = '', e = '', f = ''] = ids.slice(3)
  const items = tokens.map((stakedTokenId) => ({ action: 'unstake' as const, stakedTokenId }))
  const exit = await key.buildBatch({ items, sender: ME })
  const stakes = (validatorIds: readonly string[]) =>
    validatorIds.map((validatorId) => ({ action: 'stake' as const, validatorId, amount: FOUR }))
  const refused = await firstBreach(stake(d))
  assert.deepEqual(
    [refused?.rule, refused?.limit, refused?.actual, refused?.clearsAt],
    [
      'minValidators',
      '3',
      '1, with what was built and is not on the chain yet',
      new Date(settlesAt(exit)).toISOString(),
    ],
  )
  assert.match(
    (await firstBreach(key.buildBatch({ items: stakes([d, e]), sender: ME })))?.actual ?? '',
    /^2,/,
  )
  await key.buildBatch({ items: stakes([d, e, f]), sender: ME })
})

test('200: while there are too few validators, one after the other can be added, however many are pending', async () => {
  await using opened = await openWithHoldings(0, { rule: 'minValidators', validators: 14 })
  const { ids, stake } = opened
  const [first = '', ...others] = ids.slice(0, 13)
  await stake(first)
  for (const id of others) await stake(id)
  const refused = await firstBreach(stake(first))
  assert.equal(refused?.rule, 'minValidators')
  assert.match(
    refused?.actual ?? '',
    /not every order of them is checked; wait until the chain shows some, or release them/,
  )
})

test('403: a pending unstake from other validators makes a share larger, and counts before the chain shows it', async () => {
  await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.6 })
  const { key, ids, tokens, stake } = opened
  const [a = ''] = ids
  const [, ofB = ''] = tokens
  await key.buildUnstake({ stakedTokenId: ofB, amount: '5000000000', sender: ME })
  assert.equal((await firstBreach(stake(a, '1000000000')))?.rule, 'maxShare')
  await stake(ids[1] ?? '', '1000000000')
})

test('403: an unstake from others is refused beside a pending stake, until that is carried out, released or expired', async () => {
  for (const end of ['carried out', 'released', 'expired'] as const) {
    await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.6 })
    const { app, key, ids, tokens, stake } = opened
    const [a = '', b = ''] = ids
    const [, stakedTokenId = ''] = tokens
    const built = await stake(a)
    app.clock.advance(MINUTE_MS)
    await stake(b, '1000000000')
    const items = [{ action: 'unstake', stakedTokenId, amount: '5000000000' }] as const
    const take = () => key.buildBatch({ items, sender: ME })
    const refused = await firstBreach(take())
    const clearsAt = new Date(settlesAt(built)).toISOString()
    assert.deepEqual([refused?.rule, refused?.clearsAt], ['maxShare', clearsAt])
    assert.equal((await key.simulatePolicy({ items, sender: ME })).broken[0]?.clearsAt, clearsAt)
    if (end === 'carried out') await key.sandboxExecute({ sender: ME, commands: built.commands })
    if (end === 'released') await key.releaseReservation({ intentId: built.intentId })
    if (end === 'expired') {
      app.clock.set(settlesAt(built))
      await app.runJob('watch-network')
    }
    await take()
  }
})

test('403: a token that is left of a stake, or joined of several, is not taken for a pending stake', async () => {
  for (const change of ['two are joined', 'a part is taken'] as const) {
    await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.7 })
    const { free, ids, tokens, stake } = opened
    const [a = ''] = ids
    const [stakedTokenId = ''] = tokens
    const run = async ({ commands }: { readonly commands: Input<'sandboxExecute'>['commands'] }) =>
      assert.equal((await free.sandboxExecute({ sender: ME, commands })).status, 'done')
    const halves = async () => [
      (await stakeInSandbox(free, a, TWO)).stakedTokenId,
      (await stakeInSandbox(free, a, TWO)).stakedTokenId,
    ]
    const stakedTokenIds = change === 'two are joined' ? await halves() : []
    const first = await stake(a)
    // Either way there is a token of the same amount afterwards, with the same validator and from the same epoch.
    if (change === 'two are joined') await run(await free.buildJoin({ stakedTokenIds, sender: ME }))
    else await run(await free.buildUnstake({ stakedTokenId, amount: '6000000000', sender: ME }))
    const tooMuch = change === 'two are joined' ? '9000000000' : '19000000000'
    assert.equal((await firstBreach(stake(a, tooMuch)))?.rule, 'maxShare', change)
    await run(first)
    await firstBreach(stake(a, tooMuch))
  }
})

const EIGHT = '8000000000'

test('200: a stake that the chain has shown counts once, even after a part of it was unstaked', async () => {
  await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.5 })
  const { key, ids, tokens, stake } = opened
  const [, , c = ''] = ids
  const run = ({ commands }: Pick<Awaited<ReturnType<typeof stake>>, 'commands'>) =>
    key.sandboxExecute({ sender: ME, commands })
  await run(await stake(c, EIGHT))
  await key.sandboxAdvance({ epochs: 1 })
  const { positions } = await key.positions({ owner: ME })
  const stakedTokenId = positions.find(({ validatorId }) => validatorId === c)?.stakedTokenId ?? ''
  await run(await key.buildUnstake({ stakedTokenId, amount: '3000000000', sender: ME }))
  await key.buildUnstake({ stakedTokenId: tokens[0] ?? '', sender: ME })
})

test('403: of two equal stakes the one that is not carried out counts until both have expired', async () => {
  await using opened = await openWithHoldings(2, { rule: 'maxShare', share: 0.5 })
  const { app, key, ids, tokens, stake } = opened
  const [, , c = ''] = ids
  const leave = () => key.buildUnstake({ stakedTokenId: tokens[0] ?? '', sender: ME })
  const first = await stake(c, EIGHT)
  app.clock.advance(10 * MINUTE_MS)
  await app.runJob('watch-network')
  const second = await stake(c, EIGHT)
  await key.sandboxExecute({ sender: ME, commands: first.commands })
  assert(settlesAt(first) < settlesAt(second))
  for (const at of [settlesAt(first), settlesAt(second) - 1]) {
    app.clock.set(at)
    await app.runJob('watch-network')
    assert.equal((await firstBreach(leave()))?.rule, 'maxShare')
  }
  app.clock.set(settlesAt(second))
  await app.runJob('watch-network')
  await leave()
})

test('403: a build beside 5,000 items that may still be executed; one is built after a release', async () => {
  await using opened = await openWithHoldings(1, { rule: 'maxShare', share: 1 })
  const { key, ids } = opened
  const items = Array.from({ length: 50 }, (_, at) => ({
    action: 'stake' as const,
    validatorId: ids[at % ids.length] ?? '',
    amount: FOUR,
  }))
  const build = () => key.buildBatch({ items, sender: ME })
  const first = await build()
  for (let built = 1; built < 100; built += 1) await build()
  const refused = await firstBreach(build())
  assert.deepEqual(
    [refused?.rule, refused?.clearsAt],
    ['openItems', new Date(settlesAt(first)).toISOString()],
  )
  const { broken } = await key.simulatePolicy({ items, sender: ME })
  assert.deepEqual(
    broken.map(({ rule }) => rule),
    ['openItems'],
  )
  await key.releaseReservation({ intentId: first.intentId })
  await build()
})

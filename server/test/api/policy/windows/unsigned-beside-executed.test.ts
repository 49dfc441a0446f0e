import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { ME } from '../../../support/holdings.ts'
import { registerAgent, signIn } from '../../../support/registered-agent.ts'
import { openTestApp } from '../../../support/test-app.ts'

const FIVE = '5000000000'
const FOUR = '4000000000'
const RULES = [
  { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
  { rule: 'senders', allow: [ME] },
  { rule: 'maxPerWindow', amount: '20000000000', window: 'day' },
] as const
const ANY_SHARE = { rule: 'maxShare', share: 1 } as const

/** Ann's agent has a window; an agent of Eve has no policy and builds for the same sender. */
async function openWindow(more: readonly (typeof ANY_SHARE)[] = []) {
  const app = await openTestApp({ env: { LIMIT_IP_RPM: '5000' } })
  const agent = await registerAgent(app, { email: 'ann@example.com' })
  const owner = app.client({ token: await signIn(app, 'ann@example.com') })
  await owner.writePolicy({ id: agent.id, rules: [...RULES, ...more] })
  const key = app.client({ apiKey: agent.apiKey })
  const other = app.client({ apiKey: (await registerAgent(app, { email: 'eve@example.com' })).apiKey })
  const { data } = await key.validators()
  const ids = data.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  /** Stakes by validator: the first one, the second … */
  const build = (amounts: readonly (readonly [validator: number, amount: string])[], by = key) =>
    by.buildBatch({
      sender: ME,
      items: amounts.map(([validator, amount]) => ({
        action: 'stake' as const,
        validatorId: ids[validator] ?? '',
        amount,
      })),
    })
  type Built = Awaited<ReturnType<typeof build>>
  const execute = async ({ commands }: Built) => {
    assert.equal((await key.sandboxExecute({ sender: ME, commands })).status, 'done')
  }
  const refresh = async () => {
    app.clock.advance(1_000)
    await app.runJob('watch-network')
    await app.runJob('watch-reservations')
  }
  const list = async () => (await owner.listReservations({ id: agent.id })).data
  const stateOf = async ({ intentId }: Built) =>
    (await list()).find((one) => one.intentId === intentId)?.state
  const release = ({ intentId }: Built) => key.releaseReservation({ intentId })
  const cancel = async ({ intentId }: Built) => {
    const found = (await list()).find((one) => one.intentId === intentId)
    return owner.cancelReservation({ id: agent.id, reservationId: found?.reservationId ?? '' })
  }
  const disposed = () => app[Symbol.asyncDispose]()
  return {
    app,
    key,
    other,
    build,
    execute,
    refresh,
    stateOf,
    release,
    cancel,
    [Symbol.asyncDispose]: disposed,
  }
}

const KEPT = { code: 'invalid_input', message: /executed/ }

for (const [what, first, second] of [
  ['a smaller stake', [[0, FOUR]], [[0, FIVE]]],
  ['an equal stake', [[0, FIVE]], [[0, FIVE]]],
  [
    'a batch that has a stake in common with it',
    [
      [0, FIVE],
      [1, FIVE],
    ],
    [
      [0, FIVE],
      [2, FIVE],
    ],
  ],
] as const)
  for (const [who, more] of [
    ['a window', []],
    ['a share', [ANY_SHARE]],
  ] as const)
    test(`200: under a rule about ${who}, ${what} that was executed before a build does not prevent its release`, async () => {
      await using opened = await openWindow(more)
      const { build, execute, refresh, stateOf, release, cancel } = opened
      const done = await build(first)
      await execute(done)
      await refresh()
      assert.equal(await stateOf(done), 'carriedOut')
      const unsigned = await build(second)
      await release(unsigned)
      assert.equal(await stateOf(unsigned), undefined)
      const again = await build(second)
      await cancel(again)
      assert.equal(await stateOf(again), undefined)
      await assert.rejects(release(done), KEPT)
      const signed = await build(second)
      await execute(signed)
      await assert.rejects(release(signed), KEPT)
      await assert.rejects(cancel(signed), KEPT)
    })

test('200: of two pending batches with a stake in common, the one that was not signed can be released', async () => {
  await using opened = await openWindow()
  const { build, execute, stateOf, release } = opened
  const done = await build([
    [0, FIVE],
    [1, FIVE],
  ])
  const unsigned = await build([
    [0, FIVE],
    [2, FIVE],
  ])
  await execute(done)
  await release(unsigned)
  assert.deepEqual([await stateOf(done), await stateOf(unsigned)], ['carriedOut', undefined])
})

test('400: a batch with two equal stakes cannot be released if the chain shows one that nothing else explains', async () => {
  await using opened = await openWindow()
  const { other, build, execute, release } = opened
  const unsigned = await build([
    [0, FIVE],
    [0, FIVE],
  ])
  await execute(await build([[0, FIVE]], other))
  await assert.rejects(release(unsigned), KEPT)
})

for (const [what, amount, state] of [
  ['smaller, so that it may be a part of it', FOUR, 'open'],
  ['equal, so that it may be it', FIVE, 'carriedOut'],
] as const)
  test(`400: a build cannot be released after a stake by others that is ${what}`, async () => {
    await using opened = await openWindow()
    const { other, build, execute, refresh, stateOf, release, cancel } = opened
    const unsigned = await build([[0, FIVE]])
    await execute(await build([[0, amount]], other))
    await refresh()
    assert.equal(await stateOf(unsigned), state)
    await assert.rejects(release(unsigned), KEPT)
    await assert.rejects(cancel(unsigned), KEPT)
  })

test('200: a stake that is made after a build has expired is not taken for that build', async () => {
  await using opened = await openWindow()
  const { app, key, other, build, execute, refresh, stateOf, release } = opened
  const expired = await build([[0, FIVE]])
  for (let epochs = 0; epochs < 5; epochs += 1) {
    await key.sandboxAdvance({ epochs: 1 })
    app.clock.advance(11 * MINUTE_MS)
    await app.runJob('watch-network')
  }
  assert.equal(await stateOf(expired), 'expired')
  await execute(await build([[0, FIVE]], other))
  await refresh()
  const full = [
    [0, FIVE],
    [1, FIVE],
    [2, FIVE],
    [3, FIVE],
  ] as const
  await build(full)
  assert.equal(await stateOf(expired), undefined, 'the room was given back')
  await assert.rejects(build([[0, FIVE]]), { code: 'forbidden', message: /maxPerWindow/ })
  await release(expired)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/durations.ts'
import { MAX_SETTLING_MS } from '../../policy/accepted-until.ts'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { breachesOf } from '../refused.ts'

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const TWENTY = '20000000000'

type Rules = Input<'writePolicy'>['rules']

const openWithWindow = (window: 'hour' | 'day' | 'epoch' | '30days' = 'hour') =>
  openWithRules([{ rule: 'maxPerWindow', amount: TWENTY, window }])

async function openWithRules(rules: Rules) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: ADMIN }))
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  await ann.writePolicy({ id: agent.id, rules: [ALL, ...rules] })
  const stake = () => key.buildStake({ validatorId, amount: TEN, sender: ME })
  const resources = opened.move()
  return { app, agent, key, validatorId, stake, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function clearsAt(build: Promise<unknown>): Promise<string | null | undefined> {
  const [breach, ...others] = await breachesOf(build)
  assert.deepEqual([breach?.rule, others], ['maxPerWindow', []])
  return breach?.clearsAt
}

test('403: of simultaneous builds exactly as many succeed as the window has room for', async () => {
  await using opened = await openWithWindow()
  const { app, key, validatorId, stake } = opened
  const startedAt = app.clock.now()
  const answers = await Promise.allSettled(Array.from({ length: 6 }, stake))
  const built = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  assert.equal(built.length, 2)
  assert.equal(
    built.every(({ intent }) => intent.policyHash !== null),
    true,
  )
  assert.equal(await clearsAt(stake()), new Date(startedAt + HOUR_MS).toISOString())
  const items = [{ action: 'stake', validatorId, amount: TEN }] as const
  const simulated = await key.simulatePolicy({ items, sender: ME })
  assert.deepEqual([simulated.allowed, simulated.broken[0]?.rule], [false, 'maxPerWindow'])
})

test('200: a released build gives its room back, and one that was carried out does not', async () => {
  await using opened = await openWithWindow()
  const { app, key, stake } = opened
  const first = await stake()
  app.clock.advance(1)
  const second = await stake()
  await clearsAt(stake())
  assert.deepEqual(await key.releaseReservation({ intentId: first.intentId }), {
    intentId: first.intentId,
    released: true,
  })
  await key.releaseReservation({ intentId: first.intentId })
  app.clock.advance(1)
  const third = await stake()
  assert.equal((await key.sandboxExecute({ sender: ME, commands: third.commands })).status, 'done')
  await assert.rejects(key.releaseReservation({ intentId: third.intentId }), {
    code: 'invalid_input',
  })
  await assert.rejects(key.releaseReservation({ intentId: 'rsv_none' }), { code: 'not_found' })
  const stranger = await app.client().sandboxKey({ agentName: 'stranger' })
  await assert.rejects(
    app.client({ apiKey: stranger.data.apiKey }).releaseReservation({ intentId: second.intentId }),
    { code: 'not_found' },
  )
  await clearsAt(stake())
})

test('200: two equal builds in the same millisecond are two, and releasing one leaves the other', async () => {
  await using opened = await openWithWindow()
  const { key, stake } = opened
  const first = await stake()
  const second = await stake()
  assert.equal(first.intent.issuedAt, second.intent.issuedAt)
  assert.notEqual(first.intentId, second.intentId)
  await key.releaseReservation({ intentId: first.intentId })
  await stake()
  await clearsAt(stake())
})

test('200: a window of an epoch is empty again in the next epoch', async () => {
  await using opened = await openWithWindow('epoch')
  const { key, stake } = opened
  await stake()
  await stake()
  await clearsAt(stake())
  await key.sandboxAdvance({ epochs: 1 })
  await stake()
})

for (const [window, length] of [
  ['day', DAY_MS],
  ['30days', 30 * DAY_MS],
] as const) {
  test(`403: a window of ${window} is full until the first build has left it, to the millisecond`, async () => {
    await using opened = await openWithWindow(window)
    const { app, stake } = opened
    const startedAt = app.clock.now()
    await stake()
    app.clock.advance(length / 2)
    await app.runJob('watch-network')
    await stake()
    const clears = new Date(startedAt + length).toISOString()
    assert.equal(await clearsAt(stake()), clears)
    app.clock.advance(length / 2 - 1)
    await app.runJob('watch-network')
    assert.equal(await clearsAt(stake()), clears)
    app.clock.advance(1)
    await stake()
    await clearsAt(stake())
  })
}

test('403: builds from before a restart count after it', async () => {
  await using first = await openWithWindow()
  const { app, agent, validatorId, stake } = first
  await stake()
  await stake()
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock })
  const key = again.client({ apiKey: agent.apiKey })
  await clearsAt(key.buildStake({ validatorId, amount: TEN, sender: ME }))
})

const ONE = '1000000000'
const BOUND = { rule: 'senders', allow: [ME] } as const

const simulate = ({
  key,
  validatorId,
}: Pick<Awaited<ReturnType<typeof openWithRules>>, 'key' | 'validatorId'>) =>
  key.simulatePolicy({ items: [{ action: 'stake', validatorId, amount: TEN }], sender: ME })

/** An agent whose window for stakes is filled by one stake. */
async function openWithFullWindow(...more: Rules) {
  const window = { rule: 'maxPerWindow', amount: TEN, window: 'hour', actions: ['stake'] } as const
  await using stack = new AsyncDisposableStack()
  const opened = stack.use(await openWithRules([window, ...more]))
  const { app, key, stake } = opened
  const built = await stake()
  const execute = async ({ commands }: Pick<typeof built, 'commands'>) => {
    const done = await key.sandboxExecute({ sender: ME, commands })
    assert.equal(done.status, 'done')
    return done.created[0]?.stakedTokenId ?? ''
  }
  const later = async () => {
    app.clock.advance(MAX_SETTLING_MS)
    await app.runJob('watch-network')
  }
  const staysFull = async () => {
    await assert.rejects(key.releaseReservation({ intentId: built.intentId }), { code: 'invalid_input' })
    await clearsAt(stake())
    await later()
    await clearsAt(stake())
  }
  const resources = stack.move()
  return {
    ...opened,
    built,
    execute,
    later,
    staysFull,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

for (const state of ['pending', 'earning']) {
  test(`403: a stake counts after a part was taken out of it, ${state}`, async () => {
    await using opened = await openWithFullWindow(BOUND)
    const { key, built, execute, staysFull } = opened
    const stakedTokenId = await execute(built)
    if (state === 'earning') await key.sandboxAdvance({ epochs: 2 })
    await execute(await key.buildUnstake({ stakedTokenId, amount: ONE, sender: ME }))
    await staysFull()
  })
}

for (const who of ['its agent', 'one without a policy']) {
  test(`403: a stake counts after ${who} has taken all of it out`, async () => {
    await using opened = await openWithFullWindow(BOUND)
    const { app, key, built, execute, staysFull } = opened
    const stakedTokenId = await execute(built)
    const taker = who === 'its agent' ? key : await clientOfTier(app, 'builder')
    await execute(await taker.buildWithdraw({ stakedTokenId, sender: ME }))
    await staysFull()
  })
}

test('403: a stake that the service has seen counts even after it was withdrawn elsewhere', async () => {
  await using opened = await openWithFullWindow(BOUND)
  const { app, validatorId, built, execute, staysFull } = opened
  const free = await clientOfTier(app, 'builder')
  const other = await stakeInSandbox(free, validatorId, TWENTY)
  const ofOther = await free.buildWithdraw(other)
  const stakedTokenId = await execute(built)
  await app.runJob('watch-reservations')
  const elsewhere = JSON.stringify(ofOther.commands).replaceAll(other.stakedTokenId, stakedTokenId)
  await execute({ commands: JSON.parse(elsewhere) })
  await staysFull()
})

test('200: an expired build gives its room back if a rule names the senders, and a simulation says so', async () => {
  await using opened = await openWithFullWindow(BOUND)
  const { stake, later } = opened
  await clearsAt(stake())
  assert.equal((await simulate(opened)).allowed, false)
  await later()
  assert.deepEqual((await simulate(opened)).broken, [])
  await stake()
  assert.equal((await simulate(opened)).allowed, false)
})

test('200: of two equal builds, carrying out one settles one, and the other gives its room back', async () => {
  for (const which of [0, 1]) {
    await using opened = await openWithRules([
      { rule: 'maxPerWindow', amount: TWENTY, window: 'hour' },
      BOUND,
    ])
    const { app, key, stake } = opened
    const first = await stake()
    app.clock.advance(MINUTE_MS)
    const built = [first, await stake()]
    const [done, open] = which === 0 ? built : built.toReversed()
    assert(done && open)
    await key.sandboxExecute({ sender: ME, commands: done.commands })
    await app.runJob('watch-reservations')
    for (const { intentId } of built)
      await assert.rejects(
        key.releaseReservation({ intentId }),
        { code: 'invalid_input' },
        'it may be either',
      )
    await clearsAt(stake())
    app.clock.advance(MAX_SETTLING_MS)
    await app.runJob('watch-network')
    if (which === 0) await key.releaseReservation({ intentId: open.intentId })
    assert.equal((await simulate(opened)).allowed, true)
    await stake()
    await clearsAt(stake())
    await assert.rejects(key.releaseReservation({ intentId: done.intentId }), { code: 'invalid_input' })
  }
})

test('400: a build without a sender can be released by its owner alone, as the chain cannot be searched for it', async () => {
  await using opened = await openWithWindow()
  const { app, agent, key, validatorId, stake } = opened
  const { intentId, commands } = await key.buildStake({ validatorId, amount: TEN })
  await key.sandboxExecute({ sender: ME, commands })
  await assert.rejects(key.releaseReservation({ intentId }), { code: 'invalid_input', message: /sender/ })
  await stake()
  await clearsAt(stake())
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data } = await ann.listReservations({ id: agent.id })
  const { reservationId = '' } = data.find((one) => one.intentId === intentId) ?? {}
  await ann.cancelReservation({ id: agent.id, reservationId })
  await key.releaseReservation({ intentId })
})

test('403: without a rule that names the senders, a build that was not carried out gives no room back', async () => {
  await using opened = await openWithFullWindow()
  const { key, built, stake, later } = opened
  await later()
  await clearsAt(stake())
  await key.releaseReservation({ intentId: built.intentId })
  await stake()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { ME, TEN } from '../support/holdings.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'

/** Windows of a policy while the clock is wrong, and after it was put right. */

const ANN = 'ann@example.com'
const TWENTY = '20000000000'
const FULL = { code: 'forbidden', message: /maxPerWindow/ }

/** Has room for two stakes within the window. */
async function openWithWindow(window: 'hour' | 'day') {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp())
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const rules = [
    { rule: 'actions', allow: ['stake'] },
    { rule: 'maxPerWindow', amount: TWENTY, window },
  ] as const
  await ann.writePolicy({ id: agent.id, rules: [...rules] })
  const stake = () => key.buildStake({ validatorId, amount: TEN, sender: ME })
  const items = [{ action: 'stake', validatorId, amount: TEN }] as const
  const isAllowed = async () => (await key.simulatePolicy({ items, sender: ME })).allowed
  /** Chain data that are not as old as the clock says are not built on. */
  const moveTo = async (time: number) => {
    app.clock.set(time)
    await app.runJob('watch-network')
  }
  const moveBy = (by: number) => moveTo(app.clock.now() + by)
  const resources = opened.move()
  return {
    clock: app.clock,
    moveTo,
    moveBy,
    stake,
    isAllowed,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

for (const [window, hours] of [
  ['hour', 2],
  ['hour', 60],
  ['day', 25],
] as const) {
  test(`a full window (${window}) is full while the clock is ${hours} hours behind, and when it is right again`, async () => {
    await using opened = await openWithWindow(window)
    const { moveBy, stake, isAllowed } = opened
    await stake()
    await stake()
    for (let round = 0; round < 2; round += 1) {
      for (const step of [-hours * HOUR_MS, hours * HOUR_MS]) {
        await moveBy(step)
        assert.equal(await isAllowed(), false)
        await assert.rejects(stake(), FULL)
        await moveBy(MINUTE_MS)
      }
    }
  })
}

test('what is built while the clock is behind counts when it is right again', async () => {
  await using opened = await openWithWindow('hour')
  const { moveBy, stake } = opened
  await stake()
  await moveBy(-2 * HOUR_MS)
  await stake()
  await assert.rejects(stake(), FULL)
  await moveBy(2 * HOUR_MS)
  await assert.rejects(stake(), FULL)
  await moveBy(HOUR_MS)
  await stake()
})

test('what was built while the clock was ahead leaves its window: within its length, and again at its own date', async () => {
  await using opened = await openWithWindow('hour')
  const { clock, moveTo, moveBy, stake } = opened
  const rightNow = clock.now()
  await moveBy(3 * HOUR_MS)
  await stake()
  await stake()
  await moveTo(rightNow)
  await assert.rejects(stake(), FULL)
  await moveTo(rightNow + HOUR_MS)
  await stake()
  await moveTo(rightNow + 3 * HOUR_MS)
  await assert.rejects(stake(), FULL)
  await moveTo(rightNow + 4 * HOUR_MS)
  await stake()
})

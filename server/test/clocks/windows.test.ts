import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variants } from '../../../test/runs-all.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { ME, TEN } from '../support/holdings.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'

/** Windows of a policy while the clock is wrong, and after it was corrected. */

const ANN = 'ann@example.com'
const TWENTY = '20000000000'
const FULL = { code: 'forbidden', message: /maxPerWindow/ }

/** An agent whose window has room for two stakes. */
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
  /** Sets the clock and reads the chain again: with data of another time, builds are refused. */
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

const WINDOWS = variants<readonly ['hour' | 'day', number]>(
  [
    ['hour', 2],
    ['day', 25],
  ],
  [['hour', 60]],
)

for (const [window, hours] of WINDOWS) {
  test(`a full window (${window}) stays full while the clock is ${hours} hours behind, and once it is right again`, async () => {
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

test('a build made while the clock is behind counts once it is right again', async () => {
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

test('builds made while the clock was ahead count for one window after the correction, and again at their own date', async () => {
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

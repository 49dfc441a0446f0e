import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../src/durations.ts'
import { ME, TEN } from '../../../support/holdings.ts'
import { registerAgent, signIn } from '../../../support/registered-agent.ts'
import { openTestApp } from '../../../support/test-app.ts'
import { testClock } from '../../../support/test-clock.ts'

const ANN = 'ann@example.com'
/** A time in June 2026. The 15th is a Monday. */
const at = (day: number, time: string) => `2026-06-${day}T${time}.000Z`

test('`hours` over midnight begin on their days and end on the day after, for builds, simulations and `expiresAt`', async () => {
  await using app = await openTestApp({
    clock: testClock(Date.parse(at(15, '12:00:00'))),
    env: { SANDBOX_EPOCH_MS: String(30 * DAY_MS) },
  })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const validatorId = (await key.validators()).data.find(({ status }) => status === 'active')?.id ?? ''
  await ann.writePolicy({
    id: agent.id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'hours', days: ['mon', 'tue'], from: 22, to: 6 },
    ],
  })
  const item = { action: 'stake', validatorId, amount: TEN } as const
  const cases = [
    [at(15, '12:00:00'), { clearsAt: at(15, '22:00:00') }],
    [at(15, '21:59:59'), { clearsAt: at(15, '22:00:00') }],
    [at(15, '22:00:00'), { expiresAt: at(15, '22:10:00') }],
    [at(15, '23:55:00'), { expiresAt: at(16, '00:05:00') }],
    [at(16, '05:58:00'), { expiresAt: at(16, '06:00:00') }],
    [at(16, '06:00:00'), { clearsAt: at(16, '22:00:00') }],
    // These hours began on Tuesday; none begin on Wednesday.
    [at(17, '05:00:00'), { expiresAt: at(17, '05:10:00') }],
    [at(17, '23:00:00'), { clearsAt: at(22, '22:00:00') }],
  ] as const
  for (const [now, expected] of cases) {
    app.clock.advance(Date.parse(now) - app.clock.now())
    await app.runJob('watch-network')
    const { allowed, broken } = await key.simulatePolicy({ items: [item], sender: ME })
    assert.equal(allowed, 'expiresAt' in expected, now)
    if ('expiresAt' in expected) {
      assert.equal(
        (await key.buildStake({ validatorId, amount: TEN, sender: ME })).expiresAt,
        expected.expiresAt,
      )
      continue
    }
    const limit = 'mon, tue from 22 to 6 h UTC of the next day'
    assert.deepEqual(broken, [{ rule: 'hours', limit, actual: now, clearsAt: expected.clearsAt }])
    await assert.rejects(key.buildStake({ validatorId, amount: TEN, sender: ME }), { code: 'forbidden' })
  }
})

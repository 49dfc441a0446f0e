import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import fc from 'fast-check'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { acceptedUntil } from '../../../policy/accepted-until.ts'
import { ME, TEN } from '../../../support/holdings.ts'
import { signIn } from '../../../support/registered-agent.ts'
import { runs } from '../../../support/repetitions.ts'
import { openTestApp, type TestApp } from '../../../support/test-app.ts'
import { breachesOf } from '../../refused.ts'

const amountOf = (times: number) => String(BigInt(TEN) * BigInt(times))

const windowOf = (window: 'hour' | 'day' | 'epoch', times: number) =>
  ({ rule: 'maxPerWindow', window, amount: amountOf(times) }) as const

const RULES = [
  { rule: 'actions', allow: ['stake'] },
  { rule: 'senders', allow: [ME] },
  windowOf('hour', 6),
  windowOf('day', 10),
  windowOf('epoch', 12),
] as const

/** A step of the agent before the last wish. Few validators and amounts make equal stakes likely. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ build: fc.integer({ min: 1, max: 4 }), validator: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ execute: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ release: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ minutes: fc.constantFrom(1, 4, 9, 16, 50, 300) }) },
)

async function moveTo(app: TestApp, moment: number): Promise<void> {
  app.clock.advance(moment - app.clock.now())
  await app.runJob('watch-network')
}

/** The broken limits of a simulation, each with the time at which it clears. */
async function brokenBy(key: Client, item: { validatorId: string; amount: string }) {
  const simulated = await key.simulatePolicy({ items: [{ action: 'stake', ...item }], sender: ME })
  return new Map(simulated.broken.map(({ limit, clearsAt }) => [limit, clearsAt]))
}

/** The same for a refused build. */
const refusalOf = async (build: Promise<unknown>) =>
  new Map((await breachesOf(build)).map(({ limit, clearsAt }) => [limit, clearsAt]))

test('403: each full window clears at the first moment at which the same wish has room, to the millisecond', async () => {
  const checkLastWish = async (
    steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[],
  ) => {
    await using app = await openTestApp({ env: { ADMIN_EMAILS: 'root@example.com' } })
    const admin = app.client({ token: await signIn(app, 'root@example.com') })
    const { data: agent } = await admin.registerAgent({ agentName: 'held', tier: 'pro' })
    const key = app.client({ apiKey: agent.apiKey })
    const validators = (await key.validators()).data.filter(({ status }) => status === 'active')
    await admin.writePolicy({ id: agent.id, rules: [...RULES] })
    const built: Awaited<ReturnType<typeof key.buildStake>>[] = []
    for (const one of steps) {
      if ('build' in one) {
        const validatorId = validators[one.validator]?.id ?? ''
        const wish = { validatorId, amount: amountOf(one.build), sender: ME }
        await key.buildStake(wish).then(
          (made) => built.push(made),
          ({ code }) => assert.equal(code, 'forbidden'),
        )
      }
      if ('minutes' in one) await moveTo(app, app.clock.now() + one.minutes * MINUTE_MS)
      const some = built['execute' in one ? one.execute : 'release' in one ? one.release : -1]
      if (some && 'execute' in one && app.clock.now() < acceptedUntil(some))
        await key.sandboxExecute({ sender: ME, commands: some.commands })
      if (some && 'release' in one)
        await key
          .releaseReservation({ intentId: some.intentId })
          .catch(({ code }) => assert.equal(code, 'invalid_input'))
    }
    const wish = { validatorId: validators[2]?.id ?? '', amount: amountOf(6) }
    const broken = await brokenBy(key, wish)
    if (broken.size === 0) return
    assert.deepEqual(await refusalOf(key.buildStake({ ...wish, sender: ME })), broken)
    const inTurn = [...broken].toSorted(([, one], [, other]) => String(one).localeCompare(String(other)))
    for (const [at, [limit, clearsAt]] of inTurn.entries()) {
      const moment = Date.parse(clearsAt ?? '')
      const isLast = at === inTurn.length - 1
      if (moment - 1 > app.clock.now()) await moveTo(app, moment - 1)
      if (moment > app.clock.now()) {
        assert.equal(
          (await brokenBy(key, wish)).get(limit),
          clearsAt,
          'a millisecond before it is still full',
        )
        if (isLast) assert((await refusalOf(key.buildStake({ ...wish, sender: ME }))).has(limit))
        await moveTo(app, moment)
      }
      assert(!(await brokenBy(key, wish)).has(limit), `${limit} has room at ${clearsAt}`)
      if (isLast) await key.buildStake({ ...wish, sender: ME })
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14, size: 'max' }), checkLastWish),
    runs(6),
  )
})

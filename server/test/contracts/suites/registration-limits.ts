import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RegistrationLimit } from '#ports/stores/agents.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'
import {
  CLOCK_STEP_MS,
  dayLimit,
  EVERYBODY,
  hourLimit,
  link,
  NOW,
  type Opened,
  OWNER,
  pending,
  selfRegistration,
} from './sample-agents.ts'

export function limitTests(open: () => Promise<Opened>): void {
  const tryAll = (store: Opened, count: number, limits: (index: number) => RegistrationLimit[]) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        store.agents.selfRegister(
          selfRegistration(`${index}`, {
            agent: pending(`${index}`, { owner: `${index}@example.com` }),
            ...link(`${index}`, `${index}@example.com`),
            limits: limits(index),
          }),
        ),
      ),
    )

  test('of simultaneous registrations exactly as many succeed as the limits allow', async () => {
    await using store = await open()
    const outcomes = await tryAll(store, 40, (index) => [
      { ...hourLimit(3), key: `ip ${index % 4}` },
      dayLimit(10),
    ])
    assert.equal(outcomes.filter(({ kind }) => kind === 'registered').length, 10)
    assert.equal((await store.recipients()).length, 10)
    assert.equal((await store.agents.list(EVERYBODY, { after: undefined, limit: 100 }))?.agents.length, 10)
  })

  test('a registration that one limit refuses is not charged to another limit', async () => {
    await using store = await open()
    await tryAll(store, 9, () => [hourLimit(2), dayLimit(3)])
    const other = { ...hourLimit(2), key: 'another ip' }
    const outcome = await store.agents.selfRegister(selfRegistration('x', { limits: [other, dayLimit(3)] }))
    assert.deepEqual(outcome, { kind: 'registered' })
  })

  test('a refusal names the limit that ends last, and when it ends', async () => {
    await using store = await open()
    const limits = [hourLimit(1), dayLimit(1)]
    await store.agents.selfRegister(selfRegistration('a', { limits }))
    const refused = { kind: 'limited', by: 'global-day', retryAt: NOW + 12 * HOUR_MS }
    for (const order of [limits, limits.toReversed()]) {
      assert.deepEqual(await store.agents.selfRegister(selfRegistration('b', { limits: order })), refused)
    }
  })

  test('a limit of 0 refuses everybody', async () => {
    await using store = await open()
    const outcome = await store.agents.selfRegister(selfRegistration('a', { limits: [hourLimit(0)] }))
    assert.deepEqual(outcome, { kind: 'limited', by: 'ip-hour', retryAt: NOW + HOUR_MS })
  })

  const registerAt =
    (store: Opened) =>
    (id: string, now: number): ReturnType<typeof store.agents.selfRegister> => {
      const window = hourLimit(1, now - (now % HOUR_MS))
      const limits = [{ ...window, latestStart: now + CLOCK_STEP_MS }]
      return store.agents.selfRegister(selfRegistration(id, { limits }))
    }

  test('the next window is a new one, and a clock that steps back a little refills none', async () => {
    await using store = await open()
    const register = registerAt(store)
    const later = NOW + 30 * DAY_MS
    assert.equal((await register('a', NOW)).kind, 'registered')
    assert.equal((await register('b', later)).kind, 'registered')
    const refused = { kind: 'limited', by: 'ip-hour', retryAt: later + HOUR_MS }
    for (const now of [later - CLOCK_STEP_MS, later - 1, later, later + HOUR_MS - 1]) {
      assert.deepEqual(await register('c', now), refused)
    }
    assert.equal((await register('c', later + HOUR_MS)).kind, 'registered')
  })

  test('counts of a clock that ran ahead are forgotten once it is right again', async () => {
    for (const ahead of [HOUR_MS, DAY_MS, 400 * DAY_MS]) {
      await using store = await open()
      const register = registerAt(store)
      assert.equal((await register('a', NOW + ahead)).kind, 'registered')
      assert.equal((await register('b', NOW + ahead)).kind, 'limited')
      assert.equal((await register('c', NOW)).kind, 'registered')
      assert.equal((await register('d', NOW)).kind, 'limited')
    }
  })

  test('an address gets its share of mails in any 24 hours, and no more, also when the clock steps back a little', async () => {
    await using store = await open()
    const sentByThen = [
      [0, 1],
      [1, 2],
      [1, 3],
      [2, 3],
      [DAY_MS - 1, 3],
      [DAY_MS, 4],
      [DAY_MS, 4],
      [DAY_MS + 1, 5],
      [DAY_MS + 1, 6],
      // The clock steps back, and goes on.
      [DAY_MS + 1 - CLOCK_STEP_MS, 6],
      [2 * DAY_MS - 1, 6],
      [2 * DAY_MS, 7],
      [2 * DAY_MS, 7],
      // A mail after a step back counts as sent at the newest time so far.
      [4 * DAY_MS, 8],
      [4 * DAY_MS - CLOCK_STEP_MS, 9],
      [4 * DAY_MS, 10],
      [5 * DAY_MS - 1, 10],
      [5 * DAY_MS, 11],
      // The clock ran ahead and is right again: its counts are forgotten.
      [400 * DAY_MS, 12],
      [400 * DAY_MS, 13],
      [400 * DAY_MS, 14],
      [400 * DAY_MS, 14],
      [6 * DAY_MS, 15],
      [6 * DAY_MS, 16],
      [6 * DAY_MS, 17],
      [6 * DAY_MS, 17],
    ] as const
    for (const [index, [moment, sent]] of sentByThen.entries()) {
      const { mail, mailCaps, token } = link(`${index}`, OWNER.owner, NOW + moment)
      const outcome = await store.agents.selfRegister(selfRegistration(`${index}`, { mail, mailCaps, token }))
      assert.equal(outcome.kind, 'registered')
      assert.equal((await store.recipients()).length, sent, `attempt ${index}`)
    }
  })
}

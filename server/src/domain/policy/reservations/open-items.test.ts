import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reservation } from '#ports/stores/reservations.ts'
import { brokenRules } from '../check-policy.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import { NOTHING_BUILT, type Wish } from '../wish.ts'
import { MOST_OPEN_ITEMS } from './open-items.ts'

const NOW = Date.UTC(2026, 0, 1)
const BATCH = 50

const itemsOf = (count: number) =>
  Array.from({ length: count }, () => ({
    action: 'stake' as const,
    validatorId: 'a',
    amount: 1n,
    token: undefined,
    alike: undefined,
  }))

const batch = (at: number): Reservation => ({
  id: `r${at}`,
  intentId: `i${at}`,
  at: NOW - 1_000 + at,
  expiresAt: NOW + at,
  epoch: 1,
  sender: '0x1',
  items: itemsOf(BATCH),
  isSeen: false,
})

const wishOf = (count: number): Wish => ({
  network: 'sandbox',
  sender: '0x1',
  items: itemsOf(count).map((item) => ({ ...item, leavesStake: false })),
  isBatch: true,
})

const breachesOf = (count: number, built: readonly Reservation[], now = NOW) =>
  brokenRules([{ rule: 'actions', allow: ['stake'] }], wishOf(count), {
    now,
    validator: () => undefined,
    tokens: [],
    epoch: { number: 1, endsAt: NOW },
    ...NOTHING_BUILT,
    built,
  })

const FULL = Array.from({ length: MOST_OPEN_ITEMS / BATCH }, (_, at) => batch(at + 1))

test('5,000 items of open builds are allowed; one more is refused, and says when enough have expired', () => {
  assert.equal(MOST_OPEN_ITEMS, 5_000)
  assert.deepEqual(breachesOf(BATCH, FULL.slice(1)), [])
  const [refused, ...others] = breachesOf(BATCH + 1, FULL)
  assert.deepEqual(others, [])
  assert.equal(refused?.rule, 'openItems')
  assert.match(refused.limit, /^5000 items in transactions that may still be executed$/)
  assert.match(refused.actual, /^5051 with this one: execute some that were built, or release them$/)
  // 51 items need the room of two batches.
  const clearsAt = NOW + 2 + SETTLING_MS
  assert.equal(refused.clearsAt, clearsAt)
  assert.equal(breachesOf(BATCH + 1, FULL, clearsAt - 1).length, 1)
  assert.deepEqual(breachesOf(BATCH + 1, FULL, clearsAt), [])
})

test('builds that the chain shows as executed do not count as open', () => {
  const [first, ...rest] = FULL
  assert(first)
  assert.equal(breachesOf(1, FULL).length, 1)
  assert.deepEqual(breachesOf(1, [{ ...first, isSeen: true }, ...rest]), [])
})

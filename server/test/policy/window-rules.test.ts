import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  brokenByWindow,
  isWindowRule,
  movedBy,
  RESERVATIONS_KEPT_DAYS,
  spansOf,
} from '#domain/policy/window-rules.ts'
import { type Facts, NOTHING_BUILT, type Wish } from '#domain/policy/wish.ts'
import { HOUR_MS } from '../../src/durations.ts'

const NOW = Date.UTC(2026, 0, 1)
const BUILT_AT = NOW - 1_000
const USED = { stake: 60n, unstake: 30n, withdraw: 7n, join: 500n }

const LENGTHS = { hour: HOUR_MS, day: 24 * HOUR_MS, '30days': 720 * HOUR_MS, epoch: 5 }

const facts: Facts = {
  ...NOTHING_BUILT,
  now: NOW,
  validator: () => undefined,
  tokens: undefined,
  epoch: { number: 5, endsAt: NOW + 9 },
  used: () => USED,
  roomAt: (window, _, amount) => LENGTHS[window] + BUILT_AT + Number(amount),
}

const wish = (amount: bigint, action: 'stake' | 'unstake' = 'stake'): Wish => ({
  network: 'sandbox',
  sender: undefined,
  items: [{ action, validatorId: 'a', amount, leavesStake: false, token: undefined }],
  isBatch: false,
})

type WindowRule = Parameters<typeof brokenByWindow>[0]

const rule = (amount: bigint, window: WindowRule['window'] = 'hour'): WindowRule => ({
  rule: 'maxPerWindow',
  amount: String(amount),
  window,
  actions: ['stake', 'unstake'],
})

test('a window allows amounts up to exactly its limit and counts only the actions that it names', () => {
  assert.deepEqual(brokenByWindow(rule(100n), wish(10n), facts), [])
  assert.deepEqual(brokenByWindow(rule(100n), wish(11n), facts), [
    {
      limit: '100 per hour',
      actual: '101, of which 90 is already reserved',
      clearsAt: BUILT_AT + 1 + HOUR_MS,
    },
  ])
  const onlyStake: WindowRule = { ...rule(100n), actions: ['stake', 'stake'] }
  assert.deepEqual(brokenByWindow(onlyStake, wish(40n), facts), [])
  assert.equal(brokenByWindow(onlyStake, wish(41n), facts).length, 1)
  const passed = { ...onlyStake, amount: '50' }
  assert.deepEqual(
    brokenByWindow(passed, wish(1_000n, 'unstake'), facts),
    [],
    'an action that the rule does not name is free',
  )
  assert.equal(brokenByWindow(passed, wish(1n), facts).length, 1)
})

test('a breach of a window says when the refused amount will fit, or has no `clearsAt` if it never will', () => {
  const clears = (...[limit, window]: Parameters<typeof rule>) =>
    brokenByWindow(rule(limit, window), wish(20n), facts)[0]?.clearsAt
  assert.deepEqual(
    [clears(100n, 'hour'), clears(100n, 'day'), clears(100n, '30days'), clears(100n, 'epoch'), clears(19n)],
    [HOUR_MS, 24 * HOUR_MS, 720 * HOUR_MS, 5, undefined].map((length) =>
      length === undefined ? undefined : BUILT_AT + 10 + length,
    ),
  )
  assert.equal(clears(20n, 'hour'), BUILT_AT + 90 + HOUR_MS, 'fits once the window is empty')
  const unknown = { ...facts, roomAt: () => undefined }
  assert.equal(brokenByWindow(rule(100n), wish(20n), unknown)[0]?.clearsAt, undefined)
})

test('each kind of window has its own span, and rules with the same window share one', () => {
  const rules = [rule(1n, 'hour'), rule(2n, 'hour'), rule(1n, 'day'), rule(1n, '30days'), rule(1n, 'epoch')]
  assert.deepEqual(spansOf(rules, { now: NOW, epoch: 5 }), {
    hour: { since: NOW - HOUR_MS },
    day: { since: NOW - 24 * HOUR_MS },
    '30days': { since: NOW - 720 * HOUR_MS },
    epoch: { epoch: 5 },
  })
  assert.equal(movedBy(wish(3n).items, ['unstake']), 0n)
  assert.deepEqual([isWindowRule(rule(1n)), isWindowRule({ rule: 'paused' })], [true, false])
  assert.equal(RESERVATIONS_KEPT_DAYS, 40, 'longer than the longest window')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FLAT, type Rate, rateGrew, rewardsBetween, toRate, toShares, toTokens } from './share-math.ts'

/** Golden vectors of the Ika contract: two stakes, five epochs, rewards of 10 IKA each, a commission of 5%. */
const RECORDED = {
  1: toRate(0n, 0n),
  2: toRate(109_500_000_000n, 100_000_000_000n),
  3: toRate(169_000_000_000n, 145_662_100_456n),
  4: toRate(62_478_056_426n, 45_662_100_456n),
  5: toRate(71_978_056_426n, 45_662_100_456n),
} as const

test('payouts equal those of the contract exactly', () => {
  const first = 100_000_000_000n
  const second = 50_000_000_000n
  assert.equal(first + rewardsBetween(first, RECORDED[1], RECORDED[3]), 116_021_943_574n)
  assert.equal(second + rewardsBetween(second, RECORDED[2], RECORDED[5]), 71_978_056_426n)
})

test('the shares of a pool after an epoch equal those of the contract', () => {
  assert.equal(toShares(RECORDED[2], 159_500_000_000n), 145_662_100_456n)
  assert.equal(toShares(RECORDED[2], 50_000_000_000n), 45_662_100_456n)
  assert.equal(169_000_000_000n - toTokens(RECORDED[3], 100_000_000_000n), 52_978_056_426n)
})

const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const rate: fc.Arbitrary<Rate> = fc
  .tuple(fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }), fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }))
  .map(([tokens, shares]) => toRate(tokens, shares))

test('converting tokens to shares and back never increases the amount', () => {
  fc.assert(fc.property(rate, amount, (at, tokens) => toTokens(at, toShares(at, tokens)) <= tokens))
})

test('if the rate did not grow, rewards are at most a rounding error', () => {
  fc.assert(
    fc.property(rate, rate, amount, (before, after, principal) => {
      if (rateGrew(before, after)) return
      assert.ok(rewardsBetween(principal, before, after) <= principal / 1_000_000_000_000n + 1n)
    }),
  )
})

test('rounding when stake is added does not count as growth; the rewards of an epoch do', () => {
  const before = { tokens: 70_000_000_123_456_789n, shares: 61_234_567_891_234_567n }
  for (const added of [1_000_000_007n, 999_999_999_999_999n, 31_415_926_535_897n]) {
    const tokens = before.tokens + added
    const after = { tokens, shares: toShares(before, tokens) }
    assert.ok(after.tokens * before.shares > before.tokens * after.shares, 'the rate rises by rounding')
    assert.equal(rateGrew(before, after), false)
    // Epochs of a minute at 0.1% a year.
    assert.equal(rateGrew(before, { ...after, tokens: after.tokens + after.tokens / 500_000_000n }), true)
  }
})

test('a pool without tokens or without shares is flat', () => {
  assert.deepEqual([toRate(0n, 5n), toRate(5n, 0n)], [FLAT, FLAT])
  fc.assert(
    fc.property(amount, (tokens) => toShares(FLAT, tokens) === tokens && toTokens(FLAT, tokens) === tokens),
  )
})

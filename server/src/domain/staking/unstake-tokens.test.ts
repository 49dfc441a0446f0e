import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/split-problems.ts'
import { chooseTokens, type Position } from './unstake-tokens.ts'

const LEAST = 10n
const tokens = (...principals: readonly number[]): Position[] =>
  principals.map((principal, index) => ({
    stakedTokenId: `t${index}`,
    validatorId: 'v',
    principal: BigInt(principal),
  }))
const chosen = (principals: readonly number[], wanted: number): readonly [string, number][] =>
  chooseTokens(tokens(...principals), BigInt(wanted), LEAST).map(({ position, amount }) => [
    position.stakedTokenId,
    Number(amount),
  ])

test('the largest tokens that fit go whole, and one is split for the rest', () => {
  assert.deepEqual(chosen([30, 100, 50], 125), [
    ['t1', 100],
    ['t2', 25],
  ])
})

test('the token to be split is the smallest that can be', () => {
  assert.deepEqual(chosen([70, 60], 45), [['t1', 45]])
})

test('a token that would keep too little goes whole', () => {
  assert.deepEqual(chosen([50], 45), [['t0', 50]])
})

test('a part that is too small is not taken', () => {
  assert.deepEqual(chosen([100, 50], 109), [['t0', 100]])
  assert.deepEqual(chosen([100], 9), [])
})

test('no part and no rest is too small, at most one token is split, and the sum is about right', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 10, max: 500 }), { minLength: 1, maxLength: 12 }),
      fc.nat(3_000),
      (sizes, wish) => {
        const total = sizes.reduce((sum, size) => sum + size, 0)
        const wanted = Math.min(wish, total)
        const parts = chooseTokens(tokens(...sizes), BigInt(wanted), LEAST)
        const rests = parts.map(({ position, amount }) => position.principal - amount)
        assert.ok(parts.every(({ amount }) => amount >= LEAST))
        assert.ok(rests.every((rest) => rest === 0n || rest >= LEAST))
        assert.ok(rests.filter((rest) => rest > 0n).length <= 1)
        const sum = Number(parts.reduce((all, { amount }) => all + amount, 0n))
        assert.ok(Math.abs(sum - wanted) < Number(LEAST), `${sum} instead of ${wanted}`)
      },
    ),
    runs(500),
  )
})

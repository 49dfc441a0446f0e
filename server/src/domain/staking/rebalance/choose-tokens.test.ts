import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { chooseTokens, inTransactions } from './choose-tokens.ts'
import { assumedToken, type HeldToken, partOfToken, tokenValue, wholeToken } from './held-token.ts'

const LEAST = 10n
const LIMITS = { least: LEAST, most: 1_000_000n }
const tokens = (...principals: readonly number[]): HeldToken[] =>
  principals.map((principal, index) =>
    assumedToken({ stakedTokenId: `t${index}`, validatorId: 'v', principal: BigInt(principal) }),
  )
const chosenOf = (held: readonly HeldToken[], wanted: number, most = LIMITS.most): [string, number][] =>
  chooseTokens(held, BigInt(wanted), { least: LEAST, most }).map(({ token, principal }) => [
    token.stakedTokenId,
    Number(principal),
  ])
const chosen = (principals: readonly number[], wanted: number) => chosenOf(tokens(...principals), wanted)

test('the largest tokens that fit are taken whole, and one token is split for the rest', () => {
  assert.deepEqual(chosen([30, 100, 50], 125), [
    ['t1', 100],
    ['t2', 25],
  ])
})

test('the smallest token that can be split is split', () => {
  assert.deepEqual(chosen([70, 60], 45), [['t1', 45]])
})

test('a token whose rest would be too small is taken whole', () => {
  assert.deepEqual(chosen([50], 45), [['t0', 50]])
})

test('of a token whose rest would be too small the smallest rest stays if the whole token exceeds the limit', () => {
  assert.deepEqual(chosenOf(tokens(50), 45, 49n), [['t0', 40]])
  assert.deepEqual(chosenOf(tokens(19), 15, 18n), [])
})

test('values include rewards: a part has its proportion of them', () => {
  const [token] = tokens(100)
  const grown = token ? [{ ...token, rewards: 100n }] : []
  assert.deepEqual(chosenOf(grown, 50), [['t0', 25]])
  assert.deepEqual(chosenOf(grown, 200), [['t0', 100]])
})

test('a part that is too small is not taken', () => {
  assert.deepEqual(chosen([100, 50], 109), [['t0', 100]])
  assert.deepEqual(chosen([100], 9), [])
})

test('no part and no rest is too small, at most one token is split, and the sum is near the wanted amount', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 10, max: 500 }), fc.nat(20)), { minLength: 1, maxLength: 12 }),
      fc.nat(3_000),
      (sizes, wish) => {
        // Rewards of up to a fifth of the principal.
        const held = tokens(...sizes.map(([principal]) => principal)).map((token, index) => ({
          ...token,
          rewards: (token.principal * BigInt(sizes[index]?.[1] ?? 0)) / 100n,
        }))
        const total = Number(held.reduce((sum, token) => sum + tokenValue(token), 0n))
        const wanted = Math.min(wish, total)
        const parts = chooseTokens(held, BigInt(wanted), LIMITS)
        const rests = parts.map(({ token, principal }) => token.principal - principal)
        assert.ok(parts.every(({ principal }) => principal >= LEAST))
        assert.ok(rests.every((rest) => rest === 0n || rest >= LEAST))
        assert.ok(rests.filter((rest) => rest > 0n).length <= 1)
        const sum = Number(parts.reduce((all, part) => all + tokenValue(part), 0n))
        assert.ok(Math.abs(sum - wanted) <= 1.2 * Number(LEAST) + 2, `${sum} instead of ${wanted}`)
      },
    ),
    runs(500),
  )
})

test('a part that takes several transactions gives each its proportion of the rewards, to the unit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1_000n, max: 10n ** 18n }),
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 4 }),
      (principal, rewards, count, quarters) => {
        const [plain] = tokens(0)
        assert(plain)
        const token = { ...plain, principal, rewards }
        const part =
          quarters === 4 ? wholeToken(token) : partOfToken(token, (principal * BigInt(quarters)) / 4n)
        const parts = inTransactions(part, { least: 1n, most: part.principal / BigInt(count) + 1n })
        for (const one of parts) {
          const off = one.rewards * principal - rewards * one.principal
          assert.ok(off < principal && -off < principal, `${one.rewards} of ${rewards}`)
        }
        assert.equal(
          parts.reduce((sum, one) => sum + tokenValue(one), 0n),
          tokenValue(part),
        )
        assert.deepEqual(
          parts.map(({ endsToken }) => endsToken),
          parts.map((_, at) => part.endsToken && at === parts.length - 1),
        )
      },
    ),
    runs(500),
  )
})

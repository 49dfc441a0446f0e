import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import {
  sampleNetwork,
  seededRandom,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { scoreValidators } from '../scoring/score.ts'
import { rewardOf } from '../solver/reward-curve.ts'
import { curveAt, type StakeOptions, stakeOptionsOf } from '../stake-options.ts'
import { allocator } from './allocation.ts'
import type { AllocationRequest } from './allocation-terms.ts'
import { alternativesIn } from './alternatives.ts'

const EQUAL_PAY = { kind: 'equal-share' } as const
const BY_STAKE = { kind: 'proportional', capShare: 0.1 } as const

function marketOf(count: number, seed: number, shape: typeof EQUAL_PAY | typeof BY_STAKE): StakeOptions {
  const validators = variedValidators(count, seed).map((one) => ({ ...one, firstEpoch: 92 }))
  const { snapshot, records } = sampleNetwork(validators, { shape })
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

/** The pools, with the caller's stake added. */
const withHeld = (market: StakeOptions, held: ReadonlyMap<string, bigint>): StakeOptions => ({
  ...market,
  options: market.options.map((option) => ({
    ...option,
    stake: option.stake + (held.get(option.validatorId) ?? 0n),
  })),
})

/** Yearly rewards of existing and added stake: the pools include `held`; `added` comes on top. */
function rewardsOf(
  market: StakeOptions,
  held: ReadonlyMap<string, bigint>,
  added: ReadonlyMap<string, bigint>,
) {
  const more = [...added.values()].reduce((sum, amount) => sum + Number(amount), 0)
  return market.options.reduce((sum, option) => {
    const before = held.get(option.validatorId) ?? 0n
    const whole = Number(before + (added.get(option.validatorId) ?? 0n))
    if (whole === 0) return sum
    const curve = curveAt(market.pool, option, Number(option.stake - before), market.pool.totalStake + more)
    return sum + rewardOf(curve, whole)
  }, 0)
}

const split = (market: StakeOptions, request: AllocationRequest): ReadonlyMap<string, bigint> =>
  new Map(allocator(market)(request).allocations.map(({ validatorId, amount }) => [validatorId, amount]))

test('adding to an optimal holding earns as much as staking everything at once', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.integer({ min: 2, max: 25 }),
      fc.double({ min: 3, max: 8, noNaN: true }),
      fc.double({ min: 3, max: 8, noNaN: true }),
      (seed, count, first, second) => {
        const market = marketOf(count, seed, EQUAL_PAY)
        const [before, amount] = [first, second].map((power) => BigInt(Math.floor(10 ** power)) * TOKEN)
        assert.ok(before && amount)
        const options = { maxValidators: 50, riskAversion: 0 }
        const existing = split(market, { ...options, amount: before })
        const pools = withHeld(market, existing)
        const added = split(pools, { ...options, amount, existing })
        const together = split(market, { ...options, amount: before + amount })
        const [once, twice] = [rewardsOf(market, new Map(), together), rewardsOf(pools, existing, added)]
        // In one of the two cases a marginal validator may get less than the smallest stake and be left out.
        assert.ok(twice >= once * (1 - 1e-7), `${twice} instead of ${once}`)
      },
    ),
    runs(200),
  )
})

test('with any existing holding, the added split is the best of all (brute force)', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      (seed, maxValidators, byStake) => {
        const random = seededRandom(seed)
        const market = marketOf(4, seed, byStake ? BY_STAKE : EQUAL_PAY)
        const existing = new Map(
          market.options
            .slice(0, 3)
            .map(({ validatorId }) => [validatorId, BigInt(Math.floor(1e16 * random()))]),
        )
        const pools = withHeld(market, existing)
        const amount = 12_000_000n * TOKEN
        const added = split(pools, { amount, maxValidators, riskAversion: 0, existing })
        const reached = rewardsOf(pools, existing, added)
        const parts = 12n
        const visit = (chosen: readonly bigint[], left: bigint): number => {
          if (chosen.length === 4) {
            if (left > 0n || chosen.filter((one) => one > 0n).length > maxValidators) return 0
            const ids = market.options.map(({ validatorId }) => validatorId)
            return rewardsOf(
              pools,
              existing,
              new Map(ids.map((id, at) => [id, ((chosen[at] ?? 0n) * amount) / parts])),
            )
          }
          let best = 0
          for (let one = 0n; one <= left; one++) best = Math.max(best, visit([...chosen, one], left - one))
          return best
        }
        assert.ok(reached >= visit([], parts) * (1 - 1e-9))
      },
    ),
    runs(60),
  )
})

test('maxShare includes existing stake: a validator that has its share gets nothing', () => {
  const market = marketOf(6, 3, EQUAL_PAY)
  const [first] = market.options
  assert.ok(first)
  const existing = new Map([[first.validatorId, 900_000n * TOKEN]])
  const added = split(withHeld(market, existing), {
    amount: 600_000n * TOKEN,
    maxValidators: 5,
    maxShare: 0.5,
    existing,
  })
  assert.equal(added.get(first.validatorId), undefined)
  for (const amount of added.values()) assert.ok(amount <= 750_000n * TOKEN)
})

test('alternatives equal the answers of allocate to the changed request, and no plain rule earns more', () => {
  for (const shape of [EQUAL_PAY, BY_STAKE]) {
    for (const tokens of [3n, 60n, 20_000n, 2_000_000n, 200_000_000n]) {
      for (const maxValidators of [1, 5, 7, 30]) {
        const market = marketOf(60, 5, shape)
        const request = { amount: tokens * TOKEN, maxValidators, riskAversion: 0 }
        const allocate = allocator(market)
        const own = allocate(request)
        const alternatives = alternativesIn(market)(request, own)
        const rules = alternatives.filter(({ name }) => !/maxValidators|riskAversion/.test(name))
        const found = new Map(alternatives.map((one) => [one.name, one]))
        const check = (name: string, other: Partial<AllocationRequest>): void => {
          const answer = allocate({ ...request, ...other })
          const gap = Math.abs((found.get(name)?.apy ?? 0) / answer.totalProjectedApy - 1)
          assert.ok(gap < 1e-9, `${name}: off by ${gap} of ${answer.totalProjectedApy}, ${tokens} tokens`)
        }
        for (const count of [1, 5, 10, 50]) check(`maxValidators ${count}`, { maxValidators: count })
        check('higher riskAversion', { riskAversion: 1 })
        // A few tokens by stake would give a validator less than the smallest stake, so this rule is left out.
        const isMuch = maxValidators === 1 || tokens >= 20_000n
        assert.ok(isMuch ? rules.length === 3 : rules.length >= 2)
        for (const rule of rules) {
          assert.ok(rule.validators <= Math.min(maxValidators, Number(tokens)), rule.name)
          assert.ok(rule.apy <= own.totalProjectedApy + 1e-9, rule.name)
        }
      }
    }
  }
})

test('with any existing holding, no alternative within the limits earns more on the whole or claims to', () => {
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(10_000),
        shape: fc.constantFrom(EQUAL_PAY, BY_STAKE),
        maxValidators: fc.constantFrom(1, 3, 5, 12),
        power: fc.double({ min: 3, max: 7.5, noNaN: true }),
        held: fc.array(fc.double({ min: 3, max: 7.5, noNaN: true }), { minLength: 1, maxLength: 5 }),
        excluded: fc.boolean(),
      }),
      ({ seed, shape, maxValidators, power, held, excluded }) => {
        const bare = marketOf(30, seed, shape)
        const byRate = bare.options.toSorted((a, b) => (a.stake < b.stake ? -1 : 1))
        const existing = new Map(
          held.map((one, at) => [byRate[at]?.validatorId ?? '', BigInt(Math.floor(10 ** one)) * TOKEN]),
        )
        const market = withHeld(bare, existing)
        const exclude = new Set(excluded ? [byRate[0]?.validatorId ?? ''] : [])
        const amount = BigInt(Math.floor(10 ** power)) * TOKEN
        const request = { amount, maxValidators, riskAversion: 0, existing, exclude }
        const allocate = allocator(market)
        const own = allocate(request)
        const total = [...existing.values()].reduce((sum, one) => sum + Number(one), Number(amount))
        const added = new Map(own.allocations.map((one) => [one.validatorId, one.amount]))
        const rate = rewardsOf(market, existing, added) / total
        // Bounds for a year of compounding at the mean rate: unequal rates compound to a little more.
        const [low, high] = [100 * rate, 100 * Math.expm1(rate) * (1 + rate)]
        assert.ok(own.totalProjectedApy > low && own.totalProjectedApy < high)
        for (const { name, apy, rewardsPerYear } of alternativesIn(market)(request, own)) {
          const count = Number(/maxValidators (\d+)/.exec(name)?.[1] ?? 0)
          if (count > maxValidators) assert.ok(apy >= own.totalProjectedApy * (1 - 1e-6), `${name}: ${apy}`)
          else
            assert.ok(apy <= own.totalProjectedApy * (1 + 1e-6), `${name}: ${apy}, ${own.totalProjectedApy}`)
          assert.ok(Math.abs(Number(rewardsPerYear) / total - apy / 100) < 1e-9)
        }
        assert.ok(Math.abs(Number(own.rewardsPerYear) / total - own.totalProjectedApy / 100) < 1e-9)
      },
    ),
    runs(300),
  )
})

test('at the lowest and highest risk aversion only the other direction is an alternative', () => {
  const market = marketOf(60, 5, EQUAL_PAY)
  const risksAt = (riskAversion: number): readonly string[] => {
    const request = { amount: 20_000n * TOKEN, maxValidators: 5, riskAversion }
    const others = alternativesIn(market)(request, allocator(market)(request))
    return others.map(({ name }) => name).filter((name) => name.includes('riskAversion'))
  }
  assert.deepEqual(risksAt(0), ['higher riskAversion'])
  assert.deepEqual(risksAt(10), ['lower riskAversion', 'higher riskAversion'])
  assert.deepEqual(risksAt(1_000), ['lower riskAversion'])
})

test('a plain rule that breaks a limit of the caller is no alternative', () => {
  const market = marketOf(60, 5, EQUAL_PAY)
  const [first] = allocator(market)({ amount: TOKEN, maxValidators: 1 }).allocations
  assert.ok(first)
  const ofFirst = { name: 'first', validatorIds: new Set([first.validatorId]), maxShare: 0.5 }
  const rulesUnder = (limits: Partial<AllocationRequest>): readonly string[] => {
    const request = { amount: 20_000n * TOKEN, maxValidators: 5, riskAversion: 0, ...limits }
    const own = allocator(market)(request)
    const others = alternativesIn(market)(request, own)
    const rules = others.filter(({ name }) => !/maxValidators|riskAversion/.test(name))
    for (const { name, apy } of rules) assert.ok(apy <= own.totalProjectedApy + 1e-9, name)
    return rules.map(({ name }) => name.split(' ')[0] ?? '')
  }
  assert.deepEqual(rulesUnder({}), ['everything', 'equal', 'by'])
  assert.ok(!rulesUnder({ maxShare: 0.2 }).includes('everything'))
  assert.ok(rulesUnder({ maxShare: 0.2 }).includes('equal'))
  assert.ok(!rulesUnder({ maxShare: 0.21 }).includes('by'))
  assert.ok(!rulesUnder({ groups: [ofFirst] }).includes('everything'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkLimitsKept, holderOf } from '../../../../../test/support/planning/check-limits-kept.ts'
import { marketOf, worthOfPlan } from '../../../../../test/support/planning/model-worth.ts'
import { bestByBruteForce } from '../../../../../test/support/planning/plan-by-brute-force.ts'
import { sumOf } from '../../../../../test/support/planning/sum-of.ts'
import { wholeRuns } from '../../../../../test/support/repetitions.ts'
import { TOKEN } from '../../../../../test/support/sample-network.ts'
import { findCappedSplit } from '../../solver/capped/capped-split.ts'
import { newSearchWork, type SearchWork } from '../../solver/capped/search-work.ts'
import type { StakeOption, StakeOptions } from '../../stake-options.ts'
import { assumedToken, type HeldToken, tokenValue, wholeToken } from '../held-token.ts'
import { holdingsOf } from '../places/holdings.ts'
import { planRebalance } from '../plan-rebalance.ts'
import { rebalanceProblem } from '../problem.ts'
import { switchingCost } from '../switching-rules.ts'
import { freeCoins } from './free-coins.ts'

const drawn = fc.record({
  at: fc.nat(3),
  quarters: fc.integer({ min: 4, max: 20 }),
  percent: fc.constantFrom(0, 0, 25),
  state: fc.constantFrom(
    'active' as const,
    'active' as const,
    'pending' as const,
    'withdrawable' as const,
    'withdrawing' as const,
  ),
})

/** Holders that keep up to `percent` of their holding liquid. */
const holders = (percent: number) => ({
  seed: fc.nat(10_000),
  held: fc.array(drawn, { minLength: 1, maxLength: 3 }),
  part: fc.integer({ min: 1, max: percent }),
  maxTargets: fc.integer({ min: 1, max: 2 }),
  riskAversion: fc.constantFrom(0, 10),
})

test('coins for keepLiquid are freed in the cheapest way, and no plan is worth more than the bound', () => {
  const seen = { forced: 0, surplus: 0 }
  fc.assert(
    fc.property(fc.record(holders(100)), ({ maxTargets, riskAversion, ...holder }) => {
      const { market, tokens, total, liquid } = holderOf(holder)
      if (liquid <= 0n) return
      const asked = { tokens, liquid, maxTargets, riskAversion }
      const plan = planRebalance(market, {
        tokens,
        maxTargets,
        riskAversion,
        keepLiquid: { amount: liquid, withinEpochs: 0 },
      })
      const best = bestByBruteForce(market, asked)
      const reached = worthOfPlan(market, asked, plan)
      const proven = (plan.certificate.bound * Number(total)) / 100
      assert.ok(proven >= best - 1e-12 * Math.abs(best), `bound ${proven} below ${best}`)
      const isForced =
        liquid > sumOf(tokens.map((token) => (token.withdrawEpoch === undefined ? 0n : tokenValue(token))))
      // Steps that gain less than 0.1 bps are left out. Stake that need not leave moves only if it gains 2 bps.
      const negligible = 1e-5 * (maxTargets - 1) * Number(total) + 1_500
      const reachable = isForced ? best : bestByBruteForce(market, asked, { mayUnstake: false })
      assert.ok(
        reached >= reachable - negligible,
        `${reached} instead of ${reachable}: ${JSON.stringify(plan.steps.map(({ action, amount }) => [action, `${amount}`]))}`,
      )
      if (!isForced) return
      seen.forced++
      const coins = plan.timeline.at(-1)?.left ?? 0n
      assert.ok(coins >= liquid, `${coins} coins instead of ${liquid}: ${plan.summary.reason}`)
      assert.match(plan.summary.reason, /moving within them/)
      if (coins > liquid + 2_000n) seen.surplus++
    }),
    wholeRuns(300),
  )
  assert.ok(seen.forced > 100 && seen.surplus > 20, JSON.stringify(seen))
})

test('all cases share one work limit; without work left, the bound still covers the best split', () => {
  let cut = 0
  fc.assert(
    fc.property(fc.record(holders(100)), fc.integer({ min: 10, max: 60 }), (asked, units) => {
      const { maxTargets, riskAversion, ...holder } = asked
      const { market, tokens, total, liquid } = holderOf(holder)
      const terms = {
        limits: {},
        maxTargets,
        maxTurnover: 1,
        risk: riskAversion / Number(total),
        cost: switchingCost(market),
        heldBack: liquid,
        mayRepeat: true,
      }
      if (liquid <= 0n) return
      const staked = tokens.filter(({ withdrawEpoch }) => withdrawEpoch === undefined)
      const idle = tokens.filter((token) => !staked.includes(token)).map(wholeToken)
      const problem = rebalanceProblem(market, holdingsOf(market, staked), idle, terms)
      const freeWith = (work: SearchWork) =>
        freeCoins(market, problem, {
          solve: ({ split }, work) => findCappedSplit(split, [], { work }),
          work,
        })
      const best = freeWith(newSearchWork())
      const few = newSearchWork(units)
      const found = freeWith(few)
      // The last step begins with work left, and may take more than that.
      assert.ok(few.units > -60, `${units - few.units} instead of ${units}`)
      if (!best || !found) return
      if (few.units <= 0) cut += 1
      assert.ok(found.split.value <= best.split.bound * (1 + 1e-12))
      assert.ok(found.split.bound >= best.split.value * (1 - 1e-12))
    }),
    wholeRuns(600),
  )
  assert.ok(cut > 20, `only ${cut} searches were cut short`)
})

test('with shares and groups, coins for keepLiquid are freed in the cheapest way that keeps them', () => {
  const seen = { kept: 0, forced: 0 }
  fc.assert(
    fc.property(
      fc.record({
        ...holders(60),
        maxShare: fc.constantFrom(0.4, 0.5, 0.6, 1),
        groups: fc.array(
          fc.record({ mask: fc.integer({ min: 1, max: 31 }), maxShare: fc.constantFrom(0.3, 0.5, 0.75) }),
          { maxLength: 2 },
        ),
      }),
      (holder) => {
        const checked = checkLimitsKept(holder)
        if (checked === 'impossible') return
        seen.kept++
        if (checked === 'forced') seen.forced++
      },
    ),
    wholeRuns(500),
  )
  assert.ok(seen.forced > 100, JSON.stringify(seen))
})

/** The validators, highest rate first. */
const byRate = ({ options }: StakeOptions): readonly string[] => {
  const rate = ({ efficiency, stake }: StakeOption): number => efficiency / Number(stake)
  return options.toSorted((a, b) => rate(b) - rate(a)).map(({ validatorId }) => validatorId)
}

test('only the coins for keepLiquid are freed, from the lowest rates; more only if they can be staked elsewhere', () => {
  const market = marketOf(12, 4)
  const ids = byRate(market)
  const freed = (held: readonly (readonly [at: number, tokens: number])[], liquid: number) => {
    const tokens = held.map(([at, amount], index) =>
      assumedToken({
        stakedTokenId: `t${index}`,
        validatorId: ids.at(at) ?? '',
        principal: BigInt(amount * 1_000) * (TOKEN / 1_000n),
      }),
    )
    const amount = BigInt(liquid * 1_000) * (TOKEN / 1_000n)
    const plan = planRebalance(market, { tokens, maxTargets: 5, keepLiquid: { amount, withinEpochs: 0 } })
    return plan.steps.map(({ action, validatorId, amount }) => {
      const at = ids.indexOf(validatorId)
      return [action, at < 6 ? at : at - ids.length, Number(amount) / Number(TOKEN)]
    })
  }
  for (const liquid of [1, 2, 3]) assert.deepEqual(freed([[0, 4]], liquid), [['unstake', 0, liquid]])
  // Less than the smallest stake cannot leave alone, so enough for a stake elsewhere leaves with it.
  assert.deepEqual(freed([[0, 4]], 0.4), [
    ['unstake', 0, 1.4],
    ['stake', 1, 1],
  ])
  assert.deepEqual(freed([[0, 4]], 4), [['unstake', 0, 4]])
  const poorAndBest = [
    [0, 10],
    [-1, 5],
  ] as const
  assert.deepEqual(freed(poorAndBest, 5), [['unstake', -1, 5]])
  assert.deepEqual(
    freed(
      [
        [0, 10],
        [-1, 7],
        [-2, 3],
      ],
      10,
    ),
    [
      ['unstake', -1, 7],
      ['unstake', -2, 3],
    ],
  )
})

test('withdrawn coins beyond keepLiquid are staked; if they are too few for a stake, the reason says so', () => {
  const market = marketOf(12, 4)
  const [best = ''] = byRate(market)
  const active = assumedToken({ stakedTokenId: 'a', validatorId: best, principal: 14n * TOKEN })
  const idle = {
    ...assumedToken({ stakedTokenId: 'b', validatorId: best, principal: 6n * TOKEN }),
    rewards: 6_000_000n,
    withdrawEpoch: market.epoch.number,
  }
  const planFor = (amount: bigint, tokens: readonly HeldToken[]) =>
    planRebalance(market, { tokens, maxTargets: 5, keepLiquid: { amount, withinEpochs: 0 } })
  for (const tenths of [10n, 40n, 49n, 50n]) {
    const liquid = (tenths * TOKEN) / 10n
    const { steps, summary } = planFor(liquid, [active, idle])
    assert.deepEqual(
      steps.map(({ action, amount }) => [action, amount]),
      [['stake', 6_006_000_000n - 16n - liquid]],
      summary.reason,
    )
  }
  assert.match(
    planFor(55n * (TOKEN / 10n), [active, idle]).summary.reason,
    /^What is withdrawn stays unstaked, as `keepLiquid` asks: what is left over is less than the smallest stake\. No move earns back/,
  )
  assert.equal(
    planFor(6_006_000_000n, [idle]).summary.reason,
    'What is withdrawn stays unstaked, as `keepLiquid` asks.',
  )
})

import assert from 'node:assert/strict'
import { tokenValue } from '#domain/staking/rebalance/held-token.ts'
import { planRebalance } from '#domain/staking/rebalance/plan-rebalance.ts'
import { type Drawn, excessOf, GRID, marketOf, tokensOf, worthOfPlan } from './model-worth.ts'
import { bestByBruteForce } from './plan-by-brute-force.ts'
import { sumOf } from './sum-of.ts'

/** A holder of tokens on a sample network, who keeps `part` percent of their value liquid. */
type Holder = { readonly seed: number; readonly held: readonly Drawn[]; readonly part: number }

export function holderOf({ seed, held, part }: Holder) {
  const market = marketOf(5, seed)
  const tokens = tokensOf(market, held)
  const total = sumOf(tokens.map(tokenValue))
  const hasRewards = tokens.some(({ rewards }) => rewards > 0n)
  // The assured payout of a token with rewards is a little less than its value.
  const liquid = ((total * BigInt(part)) / 100n / GRID) * GRID - (hasRewards ? 1_000n : 0n)
  return { market, tokens, total, liquid }
}

type Limited = Holder & {
  readonly maxTargets: number
  readonly riskAversion: number
  readonly maxShare: number
  /** The members of a group as bits. */
  readonly groups: readonly { readonly mask: number; readonly maxShare: number }[]
}

/**
 * Asserts that a plan with `keepLiquid` keeps shares and groups, frees enough, and is the best one by brute force.
 * `impossible`: no plan can keep them. `forced`: stake has to leave.
 */
export function checkLimitsKept({
  maxTargets,
  riskAversion,
  maxShare,
  groups: masks,
  ...holder
}: Limited): 'impossible' | 'forced' | 'free' {
  const { market, tokens, total, liquid } = holderOf(holder)
  if (liquid <= 0n) return 'impossible'
  const groups = masks.map(({ mask, maxShare }, index) => ({
    name: `${index}`,
    validatorIds: new Set(
      market.options.flatMap(({ validatorId }, at) => ((mask >> at) & 1 ? [validatorId] : [])),
    ),
    maxShare,
  }))
  const asked = { tokens, liquid, maxTargets, riskAversion, maxShare, groups }
  const plan = planRebalance(market, { ...asked, keepLiquid: { amount: liquid, withinEpochs: 0 } })
  const best = bestByBruteForce(market, asked, { fully: true })
  if (best === Number.NEGATIVE_INFINITY) return 'impossible'
  const steps = JSON.stringify(
    plan.steps.map(({ action, amount, validatorId }) => [action, `${amount}`, validatorId]),
  )
  const stay = { ...plan, steps: [] }
  const idle = tokens.filter(({ withdrawEpoch }) => withdrawEpoch !== undefined)
  const isForced = liquid > sumOf(idle.map(tokenValue)) || excessOf(market, asked, stay) > 0n
  // Caps are rounded and coins are kept liquid to the unit, so an excess of this size is no mistake.
  assert.ok(
    excessOf(market, asked, plan) <= 1_000n,
    `${excessOf(market, asked, plan)} too much: ${steps} ${plan.summary.reason}`,
  )
  const proven = (plan.certificate.bound * Number(total)) / 100
  assert.ok(proven >= best - 1e-12 * Math.abs(best), `bound ${proven} below ${best}`)
  const reached = worthOfPlan(market, asked, plan)
  const negligible = 1e-5 * (maxTargets - 1) * Number(total) + 1_500
  const reachable = isForced ? best : bestByBruteForce(market, asked, { mayUnstake: false, fully: true })
  assert.ok(
    reached >= reachable - negligible,
    `${reached} instead of ${reachable}: ${steps} ${plan.summary.reason}`,
  )
  if (!isForced) return 'free'
  const coins = plan.timeline.at(-1)?.left ?? 0n
  assert.ok(coins >= liquid, `${coins} coins instead of ${liquid}: ${plan.summary.reason}`)
  return 'forced'
}

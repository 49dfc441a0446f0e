import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkLimitsKept } from '../../../../../test/support/planning/check-limits-kept.ts'
import { marketOf, tokensOf, worthOfPlan } from '../../../../../test/support/planning/model-worth.ts'
import { bestByBruteForce } from '../../../../../test/support/planning/plan-by-brute-force.ts'
import { TOKEN } from '../../../../../test/support/sample-network.ts'
import { assumedToken } from '../held-token.ts'
import { planRebalance } from '../plan-rebalance.ts'
import { partsAddingUp } from './leavable.ts'

// Regressions found by the brute-force search of free-coins.test.ts, one for each rule of plans within shares and
// groups.

const active = (at: number, quarters: number, percent = 0) =>
  ({ at, quarters, percent, state: 'active' }) as const

test('limits come before gains: the plan with less stake beyond them is chosen, even if it earns less', () => {
  const held = [
    active(0, 10),
    active(0, 8),
    { at: 0, quarters: 5, percent: 25, state: 'withdrawable' } as const,
  ]
  const groups = [
    { mask: 0b10101, maxShare: 0.5 },
    { mask: 0b01111, maxShare: 0.75 },
  ]
  const holder = { seed: 7, held, part: 5, maxTargets: 2, riskAversion: 0, maxShare: 0.4, groups }
  assert.equal(checkLimitsKept(holder), 'forced')
})

test('with overlapping groups the stake without room is computed exactly, not by a greedy choice', () => {
  const groups = [
    { mask: 0b11100, maxShare: 0.3 },
    { mask: 0b00101, maxShare: 0.3 },
  ]
  const held = [active(1, 14, 25), active(2, 6)]
  const holder = { seed: 24, held, part: 26, maxTargets: 2, riskAversion: 0, maxShare: 0.6, groups }
  assert.equal(checkLimitsKept(holder), 'forced')
})

test('two smallest stakes that need all freed coins are both made, despite the rounding of payouts', () => {
  const held = [active(0, 4), active(0, 4), active(1, 10, 25)]
  const groups = [{ mask: 0b01000, maxShare: 0.3 }]
  const holder = { seed: 0, held, part: 30, maxTargets: 2, riskAversion: 0, maxShare: 1, groups }
  assert.equal(checkLimitsKept(holder), 'forced')
})

test('a split that exceeds a cap by a fraction of a unit still leaves room for the smallest stakes in the group', () => {
  const held = [
    { at: 0, quarters: 6, percent: 0, state: 'withdrawable' } as const,
    active(3, 12),
    { at: 0, quarters: 15, percent: 25, state: 'withdrawing' } as const,
  ]
  const groups = [
    { mask: 0b01010, maxShare: 0.3 },
    { mask: 0b11101, maxShare: 0.3 },
  ]
  const holder = { seed: 3, held, part: 3, maxTargets: 2, riskAversion: 0, maxShare: 1, groups }
  assert.equal(checkLimitsKept(holder), 'forced')
})

test('if no further validator can help, the forced ones are tried alone', () => {
  const groups = [{ mask: 0b00110, maxShare: 0.3 }]
  const held = [active(0, 8)]
  const holder = { seed: 0, held, part: 50, maxTargets: 2, riskAversion: 0, maxShare: 1, groups }
  assert.equal(checkLimitsKept(holder), 'forced')
})

test('stake leaves full groups to make room for coins that can then be staked there', () => {
  const market = marketOf(5, 85)
  const withdrawn = { at: 0, quarters: 12, percent: 0, state: 'withdrawable' } as const
  const tokens = tokensOf(market, [active(3, 8), withdrawn])
  // The validator of the stake is in both groups: stake that leaves it makes room twice.
  const groups = [
    [0, 3],
    [1, 2, 3],
  ].map((members, index) => ({
    name: `${index}`,
    validatorIds: new Set(members.map((at) => market.options[at]?.validatorId ?? '')),
    maxShare: 0.4,
  }))
  const asked = { tokens, maxTargets: 2, riskAversion: 0, groups }
  const plan = planRebalance(market, asked)
  assert.ok(plan.steps.some(({ action }) => action === 'unstake'))
  const best = bestByBruteForce(market, { ...asked, liquid: 0n })
  assert.ok(worthOfPlan(market, { ...asked, liquid: 0n }, plan) >= best * (1 - 1e-5))
})

test('coins are staked elsewhere, even if the stake beyond the cap of a group is too small to leave', () => {
  const market = marketOf(5, 85)
  const withdrawn = { at: 0, quarters: 8, percent: 0, state: 'withdrawable' } as const
  const tokens = tokensOf(market, [active(3, 8), withdrawn])
  const validatorIds = new Set([0, 3].map((at) => market.options[at]?.validatorId ?? ''))
  const groups = [{ name: 'two', validatorIds, maxShare: 0.3 }]
  const { steps } = planRebalance(market, { tokens, maxTargets: 1, riskAversion: 0, groups })
  const staked = steps.filter(({ action }) => action === 'stake')
  assert.ok(staked.reduce((sum, { amount }) => sum + amount, 0n) >= 2n * TOKEN - 1_000n)
  assert.ok(staked.every(({ validatorId }) => !validatorIds.has(validatorId)))
})

test('if less than the smallest stake is beyond the cap of a group, exactly the smallest stake leaves', () => {
  const market = marketOf(5, 85)
  const withdrawn = { at: 0, quarters: 8, percent: 0, state: 'withdrawable' } as const
  const tokens = tokensOf(market, [active(3, 8), withdrawn])
  const validatorIds = new Set([0, 3].map((at) => market.options[at]?.validatorId ?? ''))
  const groups = [{ name: 'two', validatorIds, maxShare: 0.3 }]
  const { steps, summary } = planRebalance(market, { tokens, maxTargets: 1, riskAversion: 0, groups })
  const unstaked = steps.filter(({ action }) => action === 'unstake')
  assert.deepEqual(
    unstaked.map(({ amount }) => amount),
    [market.minStake],
  )
  assert.match(summary.reason, /^Your limits do not allow what you hold: moving within them/)
})

test('two tokens that add up to an amount are found, even if the part of one is worth a unit more', () => {
  const token = (stakedTokenId: string, principal: bigint, rewards: bigint) => ({
    ...assumedToken({ stakedTokenId, validatorId: 'a', principal }),
    rewards,
  })
  const tokens = [token('large', 3n * TOKEN, TOKEN), token('small', TOKEN, 0n)]
  const parts = partsAddingUp(tokens, 3n * TOKEN - 1n, TOKEN)
  assert.deepEqual(
    parts?.map(({ token, principal, rewards }) => [token.stakedTokenId, principal + rewards]),
    [
      ['large', 2n * TOKEN],
      ['small', TOKEN],
    ],
  )
})

test('the work of adding up tokens to an amount grows in proportion to their number', () => {
  const readsWith = (count: number): number => {
    let reads = 0
    const tokens = Array.from({ length: count }, (_, index) => ({
      ...assumedToken({ stakedTokenId: `${index}`, validatorId: 'a', principal: 0n }),
      get principal() {
        reads += 1
        return TOKEN
      },
    }))
    assert.equal(partsAddingUp(tokens, BigInt(count / 2) * TOKEN, TOKEN)?.length, count / 2)
    return reads
  }
  assert.ok(readsWith(120) < 8 * readsWith(30))
})

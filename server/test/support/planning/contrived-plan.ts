import type { Input } from '@stakewright/contract'

/** Group caps that contradict each other, so that the search for a plan tries many cases. */
const CAPS = [0.9, 0.33, 0.1, 0.2, 0.2, 0.33, 0.28, 0.05, 0.9] as const

/** A request for a plan whose search takes as much work as one may. */
export function contrivedPlan(validatorIds: readonly string[]): Input<'planRebalance'> {
  const positions = Array.from({ length: 50 }, (_, at) => ({
    stakedTokenId: `0x${(at + 1).toString(16).padStart(64, '0')}`,
    validatorId: validatorIds[at % 25] ?? '',
    principal: String(9n * 10n ** BigInt(9 + (at % 7)) + BigInt(at)),
  }))
  const groups = CAPS.map((maxShare, group) => ({
    name: `g${group}`,
    validatorIds: validatorIds.filter((_, at) => (at * (group + 3)) % 11 < 6),
    maxShare,
  }))
  return {
    positions,
    groups,
    maxTargets: 10,
    maxShare: 0.0168,
    riskAversion: 0.01,
    horizonEpochs: 2,
    keepLiquid: { amount: '1000000000000000', withinEpochs: 0 },
  }
}

import { type Checked, TIERS, type Tier } from '@stakewright/contract'
import type { StakeLimits } from '#domain/staking/stake-limits.ts'

const NOBODY: ReadonlySet<string> = new Set()

type LimitFields = Pick<
  Checked<'allocate'>,
  'riskAversion' | 'maxShare' | 'exclude' | 'minScore' | 'maxCommission' | 'groups'
> & { readonly keepLiquid?: Checked<'allocate'>['keepLiquid'] }

export function toLimits(body: LimitFields, tier: Tier): StakeLimits {
  const { riskAversion, maxShare, minScore, maxCommission, keepLiquid } = body
  return {
    riskAversion,
    maxShare,
    minScore,
    maxCommission,
    visible: TIERS[tier].visibleValidators,
    exclude: body.exclude.length === 0 ? NOBODY : new Set(body.exclude),
    groups: body.groups.map((group) => ({ ...group, validatorIds: new Set(group.validatorIds) })),
    ...(keepLiquid && { keepLiquid: { ...keepLiquid, amount: BigInt(keepLiquid.amount) } }),
  }
}

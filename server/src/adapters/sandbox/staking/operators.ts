import { chanceFrom, rollOf } from '../world/chance.ts'
import type { World } from '../world/world.ts'
import { announceCommission } from './validator-set.ts'

const MAX_COMMISSION_BPS = 2_000
const CHANGES_PER_MILLE = 25

/** The members that miss their duty in the present epoch, chosen by the seed: all instances compute the same. */
export function absentMembers(world: World): ReadonlySet<string> {
  const absent = world.committee.filter((id) => {
    const validator = world.validators.get(id)
    return (
      validator !== undefined &&
      rollOf(world.seed, 'duty', validator.name, world.epoch) * 1_000 < validator.missesPerMille
    )
  })
  return new Set(absent)
}

/** At the start of an epoch some operators announce another commission; three of four changes are raises. */
export function announceCommissions(world: World): void {
  for (const id of world.committee) {
    const validator = world.validators.get(id)
    if (validator === undefined || !validator.restless) continue
    const chance = chanceFrom(world.seed, 'commission', validator.name, world.epoch)
    if (chance.below(1_000) >= CHANGES_PER_MILLE) continue
    const step = (1 + chance.below(3)) * (chance.below(4) === 0 ? -100 : 100)
    const changed = Math.max(0, Math.min(MAX_COMMISSION_BPS, validator.pool.commissionBps + step))
    if (changed !== validator.pool.commissionBps) announceCommission(world, id, changed)
  }
}

import { allocator } from '#domain/staking/allocation/allocation.ts'
import { scoreValidators } from '#domain/staking/scoring/score.ts'
import type { StakeGroup } from '#domain/staking/stake-limits.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { type SampleValidator, sampleNetwork, seededRandom, variedValidators } from '../sample-network.ts'

type Options = NonNullable<Parameters<typeof sampleNetwork>[1]>

/** Splits amounts among these validators. Their history is short, as only the split is of interest. */
export function allocatorFor(validators: readonly SampleValidator[], options: Options = {}) {
  const { snapshot, records } = sampleNetwork(
    validators.map((one) => ({ firstEpoch: 92, ...one })),
    options,
  )
  return allocator(stakeOptionsOf(snapshot, scoreValidators(snapshot, records)))
}

/** Random groups: each validator has an operator, a country and a provider; `shares` are the caps of the three. */
export function groupsOfThreeKinds(count: number, shares: readonly number[], seed: number): StakeGroup[] {
  const random = seededRandom(seed)
  return [9, 6, 5].flatMap((size, family) => {
    const own = Array.from({ length: count }, () => Math.floor(size * random()))
    return Array.from({ length: size }, (_, group) => ({
      name: `${family} ${group}`,
      validatorIds: new Set(
        variedValidators(count, 1).flatMap(({ id }, at) => (own[at] === group ? [id] : [])),
      ),
      maxShare: shares[family] ?? 1,
    }))
  })
}

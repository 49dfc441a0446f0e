import type { EpochRecord } from '#ports/staking-chain.ts'
import { APY_WINDOWS } from './apy.ts'

/** The share of the last completed epochs in which the validator did its work. Undefined where nobody can tell. */
export function uptimeOf(records: readonly EpochRecord[], currentEpoch: number): number | undefined {
  const oldest = currentEpoch - APY_WINDOWS.long
  const known = records.filter(
    ({ epoch, performed }) => epoch >= oldest && epoch < currentEpoch && performed !== undefined,
  )
  if (known.length === 0) return undefined
  return known.filter(({ performed }) => performed).length / known.length
}

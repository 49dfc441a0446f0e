import type { EpochRecord, NetworkName } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES, type NetworkRules } from '../../networks.ts'
import { APY_WINDOWS } from './apy.ts'

/** The share of the last completed epochs in which a validator did its work, and the source of this figure. */
export type Uptime = { readonly share: number; readonly source: UptimeSource }

type UptimeSource = NetworkRules['uptimeSource']

/** Undefined if no epoch in the window has a known performance. */
export function uptimeOf(
  records: readonly EpochRecord[],
  currentEpoch: number,
  network: NetworkName,
): Uptime | undefined {
  const oldest = currentEpoch - APY_WINDOWS.long
  const known = records.filter(
    ({ epoch, performed }) => epoch >= oldest && epoch < currentEpoch && performed !== undefined,
  )
  if (known.length === 0) return undefined
  const share = known.filter(({ performed }) => performed).length / known.length
  return { share, source: NETWORK_RULES[network].uptimeSource }
}

import type { EpochRecord, NetworkFamily, NetworkName } from '#ports/chain/staking-chain.ts'
import { APY_WINDOWS } from './apy.ts'
import { familyOf } from './network-family.ts'

/** The share of the last completed epochs in which a validator did its work, and what that was told by. */
export type Uptime = { readonly share: number; readonly source: UptimeSource }

/**
 * epoch_rewards: no chain keeps an uptime; the exchange rates tell who was in the committee and was rewarded ·
 * simulation: the simulated chain knows who did its duty.
 */
export type UptimeSource = (typeof SOURCES)[NetworkFamily]

const SOURCES = {
  sandbox: 'simulation',
  ika: 'epoch_rewards',
  walrus: 'epoch_rewards',
  sui: 'epoch_rewards',
} as const satisfies Record<NetworkFamily, string>

/** Undefined where nobody can tell. */
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
  return { share, source: SOURCES[familyOf(network)] }
}

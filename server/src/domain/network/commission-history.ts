import type { EpochRecord, Validator } from '#ports/chain/staking-chain.ts'
import type { NetworkView } from './network-view.ts'

type Change = Pick<EpochRecord, 'epoch' | 'endedAt' | 'commissionBps' | 'commissionSource'>

export type CommissionHistory = {
  /** The first known rate, then every change, ascending. */
  readonly changes: readonly Change[]
  readonly present: number
  readonly announced: { readonly commissionBps: number; readonly fromEpoch: number | undefined } | undefined
  /** The highest rate of all these, including the announced one. */
  readonly highest: number
  readonly firstEpoch: number | undefined
  /** The epochs in which the rate was assumed instead of read, ascending. */
  readonly assumed: readonly EpochSpan[]
}

type EpochSpan = { readonly from: number; readonly to: number }

/** A validator's commission changes, as far as the completed epochs show them. */
export function commissionHistory(
  { history }: Pick<NetworkView, 'history'>,
  { id, commissionBps, nextCommissionBps, facts }: Validator,
): CommissionHistory {
  const records = history.byValidator.get(id) ?? []
  const changes = records.filter((record, at) => record.commissionBps !== records[at - 1]?.commissionBps)
  const announced =
    nextCommissionBps === commissionBps
      ? undefined
      : { commissionBps: nextCommissionBps, fromEpoch: facts?.commissionChangesAt }
  return {
    changes,
    present: commissionBps,
    announced,
    highest: Math.max(commissionBps, nextCommissionBps, ...changes.map((change) => change.commissionBps)),
    firstEpoch: records[0]?.epoch,
    assumed: assumedSpans(records),
  }
}

function assumedSpans(records: readonly EpochRecord[]): readonly EpochSpan[] {
  const spans: { readonly from: number; to: number }[] = []
  for (const { epoch, commissionSource } of records) {
    if (commissionSource === 'read') continue
    const last = spans.at(-1)
    if (last?.to === epoch - 1) last.to = epoch
    else spans.push({ from: epoch, to: epoch })
  }
  return spans
}

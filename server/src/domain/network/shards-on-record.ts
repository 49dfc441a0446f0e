import type { EpochRecord, RewardShape } from '#ports/chain/staking-chain.ts'
import { apportionShards } from '../../shards.ts'

/**
 * Where pay goes by whole shards, the records of whole epochs get those that each member had. The chain keeps no history
 * of them: they are given out anew by the stakes on record. Who was not in the committee had none.
 */
export function withShards(
  records: readonly EpochRecord[],
  shape: RewardShape | undefined,
): readonly EpochRecord[] {
  const shards = shape?.kind === 'proportional' ? shape.shards : undefined
  if (shards === undefined) return records
  return [...Map.groupBy(records, ({ epoch }) => epoch).values()].flatMap((ofEpoch) => {
    // In the order of their ids, which decides between equals whatever order they came in.
    const members = ofEpoch
      .filter(({ performed }) => performed !== false)
      .sort((a, b) => (a.validatorId < b.validatorId ? -1 : 1))
    const given = apportionShards(
      members.map(({ stake }) => stake),
      shards,
    )
    const byId = new Map(members.map(({ validatorId }, index) => [validatorId, given[index] ?? 0]))
    return ofEpoch.map((record) => ({ ...record, shards: byId.get(record.validatorId) ?? 0 }))
  })
}

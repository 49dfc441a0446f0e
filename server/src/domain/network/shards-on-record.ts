import type { EpochRecord, RewardShape } from '#ports/chain/staking-chain.ts'
import { apportionShards } from '../../shards.ts'
import { compare } from '../compare.ts'

/**
 * Adds each member's shards to the records of whole epochs, on networks that pay by whole shards. The chain keeps no
 * history of shards, so they are recomputed from the recorded stakes. A validator outside the committee had none.
 */
export function withShards(
  records: readonly EpochRecord[],
  shape: RewardShape | undefined,
): readonly EpochRecord[] {
  const shards = shape?.kind === 'proportional' ? shape.shards : undefined
  if (shards === undefined) return records
  return [...Map.groupBy(records, ({ epoch }) => epoch).values()].flatMap((ofEpoch) => {
    // Sorted by id: ties are broken in the same way for every input order.
    const members = ofEpoch
      .filter(({ performed }) => performed !== false)
      .sort((a, b) => compare(a.validatorId, b.validatorId))
    const given = apportionShards(
      members.map(({ stake }) => stake),
      shards,
    )
    const byId = new Map(members.map(({ validatorId }, index) => [validatorId, given[index] ?? 0]))
    return ofEpoch.map((record) => ({ ...record, shards: byId.get(record.validatorId) ?? 0 }))
  })
}

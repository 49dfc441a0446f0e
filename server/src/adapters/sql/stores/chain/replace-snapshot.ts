import type { Kysely, Transaction } from 'kysely'
import type { ChainSnapshot, NetworkName } from '#ports/chain/staking-chain.ts'
import type { SnapshotMark } from '#ports/stores/snapshots.ts'
import { replacesFuture } from '../../../../basics/future-snapshot.ts'
import type { Schema } from '../../schema.ts'
import { readSnapshot, writeSnapshot } from './snapshot-json.ts'

/**
 * Instances read the chain independently: one that is behind changes nothing. The exception is a stored snapshot
 * dated in the future, whose checkpoint the chain may reach only much later. It is replaced if it is still the one
 * that was compared (compare-and-swap), together with the stored records of epochs that are not over.
 */
export async function replaceSnapshot(
  transaction: Transaction<Schema>,
  snapshot: ChainSnapshot,
  now: number,
): Promise<void> {
  const { network, epoch, checkpoint } = snapshot
  const row = { epoch: epoch.number, checkpoint, body: writeSnapshot(snapshot) }
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('snapshots')
    .values({ network, ...row })
    .onConflict((conflict) =>
      conflict.column('network').doUpdateSet(row).where('snapshots.checkpoint', '<=', checkpoint),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 0n) return
  const present = await transaction
    .selectFrom('snapshots')
    .select(['checkpoint', 'body'])
    .where('network', '=', network)
    .executeTakeFirstOrThrow()
  if (!replacesFuture(snapshot, checkpointOf(present), now)) return
  const { numUpdatedRows } = await transaction
    .updateTable('snapshots')
    .set(row)
    .where('network', '=', network)
    .where('checkpoint', '=', present.checkpoint)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const { number } = epoch
  await transaction
    .deleteFrom('epoch_records')
    .where('network', '=', network)
    .where('epoch', '>=', number)
    .execute()
  for (const table of ['epoch_commissions', 'forecast_sets'] as const)
    await transaction.deleteFrom(table).where('network', '=', network).where('epoch', '>', number).execute()
}

/** A damaged snapshot is never served, so it is replaced like one dated in the future. */
function checkpointOf({ body }: { readonly body: string }): { readonly checkpointAt: number } {
  try {
    return readSnapshot(body)
  } catch {
    return { checkpointAt: Number.POSITIVE_INFINITY }
  }
}

/** The mark follows the same rule as the snapshot. */
export async function replaceMark(
  db: Kysely<Schema>,
  network: NetworkName,
  { contentId, checkpoint, checkpointAt }: SnapshotMark,
  now: number,
): Promise<void> {
  const row = { content_id: contentId, checkpoint, checkpoint_at: checkpointAt }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('snapshot_marks')
    .values({ network, ...row })
    .onConflict((conflict) =>
      conflict.column('network').doUpdateSet(row).where('snapshot_marks.checkpoint', '<=', checkpoint),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 0n) return
  const present = await db
    .selectFrom('snapshot_marks')
    .select(['checkpoint', 'checkpoint_at as checkpointAt'])
    .where('network', '=', network)
    .executeTakeFirstOrThrow()
  if (!replacesFuture({ checkpointAt }, present, now)) return
  await db
    .updateTable('snapshot_marks')
    .set(row)
    .where('network', '=', network)
    .where('checkpoint', '=', present.checkpoint)
    .execute()
}

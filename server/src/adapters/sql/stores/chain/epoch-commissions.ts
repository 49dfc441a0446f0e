import { type Kysely, sql, type Transaction } from 'kysely'
import type { ChainSnapshot, NetworkName } from '#ports/chain/staking-chain.ts'
import type { Schema } from '../../schema.ts'
import { number } from '../../stored-shape.ts'

/** Upserts the commissions of the snapshot's epoch, and deletes those of epochs before `keepFromEpoch`. */
export async function saveCommissions(
  transaction: Transaction<Schema>,
  { network, epoch, validators }: ChainSnapshot,
  keepFromEpoch: number,
): Promise<void> {
  const body = JSON.stringify(
    Object.fromEntries(validators.map(({ id, commissionBps }) => [id, commissionBps])),
  )
  await transaction
    .insertInto('epoch_commissions')
    .values({ network, epoch: epoch.number, body })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'epoch'])
        .doUpdateSet({ body })
        .where('epoch_commissions.body', '<>', sql<string>`excluded.body`),
    )
    .execute()
  await transaction
    .deleteFrom('epoch_commissions')
    .where('network', '=', network)
    .where('epoch', '<', keepFromEpoch)
    .execute()
}

export async function readCommissions(db: Kysely<Schema>, network: NetworkName, fromEpoch: number) {
  const rows = await db
    .selectFrom('epoch_commissions')
    .select(['epoch', 'body'])
    .where('network', '=', network)
    .where('epoch', '>=', fromEpoch)
    .execute()
  return rows.map(({ epoch, body }) => ({ epoch: number(epoch, 'epoch'), read: () => toCommissions(body) }))
}

function toCommissions(body: string): ReadonlyMap<string, number> {
  const fields: unknown = JSON.parse(body)
  if (typeof fields !== 'object' || fields === null) throw new TypeError('commissions are no object')
  return new Map(Object.entries(fields).map(([id, bps]) => [id, number(bps, id)]))
}

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { EpochRecord, NetworkName } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import { rowsOf } from '../../engine.ts'
import type { Schema } from '../../schema.ts'
import { amount, number, text } from '../../stored-shape.ts'
import { readCommissions, saveCommissions } from './epoch-commissions.ts'
import { replaceMark, replaceSnapshot } from './replace-snapshot.ts'
import { readSnapshot } from './snapshot-json.ts'

type Needs = { readonly db: Kysely<Schema>; readonly logger: Logger }

/** Upper bound: the rows of a statement are one parameter, and the statement must finish within its timeout. */
const ROWS_PER_STATEMENT = 2_000

/** Rows that cannot be read are skipped and logged: they can be read from the chain again. */
export function sqlSnapshots({ db, logger }: Needs): Snapshots {
  const readOrReport = <T>(what: () => string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      logger.error('stored row is damaged', error, { what: what() })
      return undefined
    }
  }
  return {
    async latest(network) {
      const row = await db
        .selectFrom('snapshots')
        .select('body')
        .where('network', '=', network)
        .executeTakeFirst()
      return (
        row &&
        readOrReport(
          () => `snapshot of ${network}`,
          () => readSnapshot(row.body),
        )
      )
    },
    async save(snapshot, records, keepFromEpoch, now) {
      await db.transaction().execute(async (transaction) => {
        await replaceSnapshot(transaction, snapshot, now)
        await saveCommissions(
          transaction,
          snapshot,
          records.length > 0 ? snapshot.epoch.number - 1 : keepFromEpoch,
        )
        await transaction
          .deleteFrom('epoch_records')
          .where('network', '=', snapshot.network)
          .where('epoch', '<', keepFromEpoch)
          .execute()
        for (let first = 0; first < records.length; first += ROWS_PER_STATEMENT) {
          await addRecords(transaction, snapshot.network, records.slice(first, first + ROWS_PER_STATEMENT))
        }
        if (records.length === 0) return
        // The records now contain the rates that were kept for a restart.
        await transaction.deleteFrom('read_rates').where('network', '=', snapshot.network).execute()
      })
    },
    async commissions(network, fromEpoch) {
      const rows = await readCommissions(db, network, fromEpoch)
      return new Map(
        rows.flatMap(({ epoch, read }) => {
          const commissions = readOrReport(() => `commissions of epoch ${epoch}`, read)
          return commissions ? [[epoch, commissions] as const] : []
        }),
      )
    },
    async history(network, fromEpoch) {
      const records: EpochRecord[] = []
      for await (const page of historyPages(db, network, fromEpoch)) {
        for (const row of page) {
          const record = readOrReport(
            () => `epoch ${row.epoch} of ${row.validator_id}`,
            () => toEpochRecord(row),
          )
          if (record) records.push(record)
        }
      }
      return records
    },
    noteSeen: (network, mark, now) => replaceMark(db, network, mark, now),
    async lastSeen(network) {
      const row = await db
        .selectFrom('snapshot_marks')
        .selectAll()
        .where('network', '=', network)
        .executeTakeFirst()
      return row && { contentId: row.content_id, checkpoint: row.checkpoint, checkpointAt: row.checkpoint_at }
    },
  }
}

const RECORD_COLUMNS = [
  'epoch',
  'validator_id',
  'ended_at',
  'tokens',
  'shares',
  'stake',
  'commission_bps',
  'commission_read',
  'performed',
] as const

type RecordRow = Omit<Selectable<Schema['epoch_records']>, 'network'>

/** About as many rows as `ROWS_PER_STATEMENT`, with 125 validators. */
const EPOCHS_PER_STATEMENT = 16

/**
 * Pages of a few epochs, so that a statement's duration does not grow with the history. Pages are bounded at both ends:
 * with a row limit instead, Postgres would read and sort all later rows as long as it has no statistics of the table.
 * Rows are only added after the newest epoch, so the pages are consistent without a transaction.
 */
async function* historyPages(
  db: Kysely<Schema>,
  network: NetworkName,
  fromEpoch: number,
): AsyncGenerator<readonly RecordRow[]> {
  for (let from = fromEpoch; ; ) {
    const first = sql<number>`(select min(epoch) from epoch_records where network = ${network} and epoch >= ${from})`
    const rows = await db
      .selectFrom('epoch_records')
      .select(RECORD_COLUMNS)
      .where('network', '=', network)
      .where('epoch', '>=', first)
      .where('epoch', '<', sql<number>`${first} + ${EPOCHS_PER_STATEMENT}`)
      .orderBy('epoch')
      .orderBy('validator_id')
      .execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    from = last.epoch + 1
  }
}

async function addRecords(
  transaction: Transaction<Schema>,
  network: NetworkName,
  records: readonly EpochRecord[],
): Promise<void> {
  const rows = records.map((record) => toRow(network, record))
  await sql`
    insert into epoch_records
      (network, epoch, validator_id, ended_at, tokens, shares, stake, commission_bps, performed,
      commission_read)
    select row ->> 'network', cast(row ->> 'epoch' as bigint), row ->> 'validator_id',
      cast(row ->> 'ended_at' as bigint), row ->> 'tokens', row ->> 'shares', row ->> 'stake',
      cast(row ->> 'commission_bps' as integer), cast(row ->> 'performed' as integer),
      cast(row ->> 'commission_read' as integer)
    from ${rowsOf(transaction, rows)} where true
    on conflict (network, epoch, validator_id) do nothing`.execute(transaction)
}

function toRow(network: NetworkName, record: EpochRecord): Schema['epoch_records'] {
  return {
    network,
    epoch: record.epoch,
    validator_id: record.validatorId,
    ended_at: record.endedAt,
    tokens: String(record.rate.tokens),
    shares: String(record.rate.shares),
    stake: String(record.stake),
    commission_bps: record.commissionBps,
    performed: record.performed === undefined ? null : Number(record.performed),
    commission_read: record.commissionSource === 'read' ? 1 : 0,
  }
}

function toEpochRecord(row: RecordRow): EpochRecord {
  return {
    validatorId: text(row.validator_id, 'validator_id'),
    epoch: number(row.epoch, 'epoch'),
    endedAt: number(row.ended_at, 'ended_at'),
    rate: { tokens: amount(row.tokens, 'tokens'), shares: amount(row.shares, 'shares') },
    stake: amount(row.stake, 'stake'),
    commissionBps: number(row.commission_bps, 'commission_bps'),
    commissionSource: row.commission_read === 1 ? 'read' : 'assumed',
    performed: row.performed === null ? undefined : row.performed === 1,
  }
}

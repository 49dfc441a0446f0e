import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { newestAction } from '../../audit/anchor-of-log.ts'
import { type ChainId, endMarkName, toChainId } from '../../audit/chains.ts'
import {
  CHECKPOINT_COLUMNS,
  MAX_BATCHES_SIGNED,
  sealCheckpoint,
  toCheckpointColumns,
} from '../../audit/checkpoint.ts'
import { NEWEST_CHECKPOINT } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { lockSection } from '../../lock-order.ts'
import type { Database, Schema } from '../../schema.ts'
import { postgresMarks } from './marks.ts'

export async function lastCheckpointAt(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit_checkpoints')
    .select('at')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** The highest number taken from the sequence; batches up to it may not be committed yet. */
export async function newestBatch(db: Database): Promise<number> {
  const { rows } = await sql<{ last_value: number }>`select last_value from audit_seq`.execute(db)
  return rows[0]?.last_value ?? 0
}

/** Signs the next unsigned batches of any chain. */
export function signNextRange(db: Kysely<Schema>, seal: AuditSeal) {
  return (at: number, upTo: number): Promise<AuditCheckpoint | undefined> =>
    db.transaction().execute(async (transaction) => {
      await lockSection(transaction, 'audit checkpoints')
      const range = await nextRange(transaction, upTo)
      if (!range) return undefined
      const marks = postgresMarks(transaction, seal)
      const { no, hash: previous } = await marks.read(NEWEST_CHECKPOINT)
      const checkpoint = sealCheckpoint(
        { no: no + 1, ...range, at, previous, action: await newestAction(transaction) },
        seal,
      )
      await insert(transaction, checkpoint)
      await marks.write(NEWEST_CHECKPOINT, { no: checkpoint.no, hash: checkpoint.hash })
      return checkpoint
    })
}

/** A chain and the last batch of it that is signed. */
type Signed = ChainId & { readonly signedSeq: number }

/** Chains that continue after their last checkpoint, found by their end marks without reading the log. */
export async function findUnsigned(db: Database): Promise<readonly Signed[]> {
  const ends = await readEnds(db)
  const signed = await readSigned(db, ends)
  return ends.flatMap(({ name, hash, ...chain }) => {
    const last = signed.get(name)
    return last?.root === hash ? [] : [{ ...chain, signedSeq: last?.last_seq ?? 0 }]
  })
}

/** All chains, with their end marks. */
export async function readEnds(db: Database) {
  const marks = await db
    .selectFrom('audit_marks')
    .select(['name', 'hash'])
    .where('name', 'like', 'end %')
    .orderBy('name')
    .execute()
  return marks.flatMap(({ name, hash }) => {
    const chain = toChainId(name)
    return chain ? [{ name, hash, ...chain }] : []
  })
}

/** Chains as rows of `chain(day, instance)`, to join on an index instead of scanning the whole history. */
export const rowsOfChains = (chains: readonly ChainId[]) => {
  const days = chains.map(({ day }) => day)
  const instances = chains.map(({ instance }) => instance)
  return sql`unnest(${days}::integer[], ${instances}::text[]) as chain(day, instance)`
}

/** The last checkpoint of each chain, by the name of the chain's end mark. */
async function readSigned(db: Database, chains: readonly ChainId[]) {
  const { rows } = await sql<ChainId & { last_seq: number; root: string }>`
    select chain.day, chain.instance, last.last_seq, last.root from ${rowsOfChains(chains)}
    cross join lateral (
      select last_seq, root from audit_checkpoints c
      where c.day = chain.day and c.instance = chain.instance order by c.no desc limit 1
    ) last`.execute(db)
  return new Map(rows.map((row) => [endMarkName(row), row]))
}

/** Skips chains with nothing to sign: their new batches are after `upTo`, or were cut off. */
async function nextRange(transaction: Transaction<Schema>, upTo: number) {
  for (const chain of await findUnsigned(transaction)) {
    const range = await readRange(transaction, chain, upTo)
    if (range) return range
  }
  return undefined
}

async function readRange(
  transaction: Transaction<Schema>,
  { day, instance, signedSeq }: Signed,
  upTo: number,
) {
  const { rows } = await sql<{ first_seq: number; last_seq: number; root: string }>`
    with unsigned as (
      select seq, place, hash from audit_batches
      where day = ${day} and instance = ${instance} and seq <= ${upTo} and place > coalesce(
        (select place from audit_batches where day = ${day} and seq = ${signedSeq}), 0)
      order by place limit ${sql.lit(MAX_BATCHES_SIGNED)}
    )
    select min(seq) as first_seq, max(seq) as last_seq,
      (select hash from unsigned order by place desc limit 1) as root
    from unsigned having count(*) > 0`.execute(transaction)
  const [row] = rows
  return row && { firstSeq: row.first_seq, lastSeq: row.last_seq, day, root: row.root, instance }
}

async function insert(transaction: Transaction<Schema>, checkpoint: AuditCheckpoint): Promise<void> {
  const values = sql.join(toCheckpointColumns(checkpoint))
  await sql`insert into audit_checkpoints (${sql.raw(CHECKPOINT_COLUMNS)}) values (${values})`.execute(
    transaction,
  )
}

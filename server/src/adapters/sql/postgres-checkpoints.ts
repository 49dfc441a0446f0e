import { type Kysely, sql, type Transaction } from 'kysely'
import type { AuditCheckpoint } from '#ports/audit-upkeep.ts'
import { checkpointHash, checkpointText, toCheckpoint } from './audit-checkpoints.ts'
import type { AuditSeal } from './audit-seal.ts'
import { takeTurn } from './engine.ts'
import type { ChainId } from './postgres-chain-set.ts'
import { NEWEST_MARK, postgresMarks } from './postgres-marks.ts'
import type { Database, Schema } from './schema.ts'

/** A checkpoint covers at most this many batches: finding out how far it reaches must not take long. */
const MOST_BATCHES = 5_000

/** Signs a stretch of one chain. All checkpoints are one row, whatever chain they are about. */
export type ChainCheckpoint = AuditCheckpoint & { readonly instance: string }

export const chainCheckpointText = (checkpoint: Omit<ChainCheckpoint, 'hash' | 'signature'>): string =>
  `${checkpointText(checkpoint)}\n${checkpoint.instance}`

/** A row of `audit_checkpoints`. */
export function toChainCheckpoint(row: Readonly<Record<string, unknown>>): ChainCheckpoint {
  return { ...toCheckpoint(row), instance: String(row['instance']) }
}

export async function lastCheckpointAt(db: Database): Promise<number | undefined> {
  const row = await db
    .selectFrom('audit_checkpoints')
    .select('at')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** Signs the next stretch that nobody has signed for, of whichever chain. */
export function signNextStretch(db: Kysely<Schema>, seal: AuditSeal) {
  return (at: number): Promise<ChainCheckpoint | undefined> =>
    db.transaction().execute(async (transaction) => {
      await takeTurn(transaction, 'audit checkpoints')
      const stretch = await nextStretch(transaction)
      if (!stretch) return undefined
      const marks = postgresMarks(transaction, seal)
      const { no, hash: previous } = await marks.read(NEWEST_MARK)
      const content = { no: no + 1, ...stretch, at, previous }
      const text = chainCheckpointText(content)
      const checkpoint = { ...content, hash: checkpointHash(text), signature: seal.sign(text) }
      await insert(transaction, checkpoint)
      await marks.write(NEWEST_MARK, { no: checkpoint.no, hash: checkpoint.hash })
      return checkpoint
    })
}

/** A chain, and the batch up to which it is signed. */
type Signed = ChainId & { readonly signedSeq: number }

/**
 * The chains that go on behind their last checkpoint. Their ends are known by the marks, so that the log itself need
 * not be read to find them.
 */
export async function findUnsigned(db: Database, day?: number): Promise<readonly Signed[]> {
  const { rows } = await sql<{ day: number; instance: string; signed: number }>`
    with ends as (
      select split_part(name, ' ', 2)::integer as day, substring(name from '^end -?[0-9]+ (.+)$') as instance, hash
      from audit_marks where name like 'end %'
    ), signed as (
      select distinct on (day, instance) day, instance, last_seq, root
      from audit_checkpoints order by day, instance, no desc
    )
    select e.day, e.instance, coalesce(s.last_seq, 0) as signed
    from ends e left join signed s on s.day = e.day and s.instance = e.instance
    where e.hash is distinct from s.root and ${day === undefined ? sql`true` : sql`e.day = ${day}`}
    order by e.day, e.instance`.execute(db)
  return rows.map(({ day: of, instance, signed }) => ({ day: of, instance, signedSeq: signed }))
}

/** A chain whose end was cut off has nothing to sign behind its last checkpoint; the others go on. */
async function nextStretch(transaction: Transaction<Schema>) {
  for (const chain of await findUnsigned(transaction)) {
    const stretch = await readStretch(transaction, chain)
    if (stretch) return stretch
  }
  return undefined
}

async function readStretch(transaction: Transaction<Schema>, { day, instance, signedSeq }: Signed) {
  const { rows } = await sql<{ first_seq: number; last_seq: number; root: string }>`
    with stretch as (
      select seq, place, hash from audit_batches
      where day = ${day} and instance = ${instance} and place > coalesce(
        (select place from audit_batches where day = ${day} and seq = ${signedSeq}), 0)
      order by place limit ${sql.lit(MOST_BATCHES)}
    )
    select min(seq) as first_seq, max(seq) as last_seq,
      (select hash from stretch order by place desc limit 1) as root
    from stretch having count(*) > 0`.execute(transaction)
  const [row] = rows
  return row && { firstSeq: row.first_seq, lastSeq: row.last_seq, day, root: row.root, instance }
}

async function insert(transaction: Transaction<Schema>, checkpoint: ChainCheckpoint): Promise<void> {
  const { no, firstSeq, lastSeq, day, at, root, previous, hash, signature, instance } = checkpoint
  await sql`
    insert into audit_checkpoints
      (no, first_seq, last_seq, day, at, root, previous, hash, signature, instance)
    values (${no}, ${firstSeq}, ${lastSeq}, ${day}, ${at}, ${root}, ${previous}, ${hash}, ${signature},
      ${instance})`.execute(transaction)
}

import { sql, type Transaction } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Schema } from './schema.ts'

/**
 * The order in which every transaction takes its locks. Two transactions that take them in different orders can
 * deadlock, until Postgres ends one. It is checked on both engines, although only Postgres needs the locks: SQLite's
 * transactions never overlap. A transaction locks at most one of each kind. If transactions write a row without
 * having a lock of this list in common, they write it after their last lock.
 */
const LOCK_ORDER = [
  'migrations',
  /** A mail address that signs in, by its digest. */
  'address',
  'user',
  /** The row of an agent, and with it all that belongs to the agent. Admission locks many, in order of number. */
  'agent',
  /** Registrations and the counts of mails. */
  'registrations',
  'agent actions',
  'audit days',
  'audit chains',
  'audit checkpoints',
  /** The index of agents of one chain, by the name of its mark. */
  'chain index',
] as const

type Lock = (typeof LOCK_ORDER)[number]
type Held = { readonly lock: Lock; readonly of: number | string }

const HELD = new WeakMap<Transaction<Schema>, Held[]>()

/** Notes a lock of the transaction. False: it holds this lock already. */
function take(transaction: Transaction<Schema>, lock: Lock, of: number | string = ''): boolean {
  const held = HELD.get(transaction) ?? []
  if (held.some((one) => one.lock === lock && one.of === of)) return false
  const last = held.at(-1)
  if (last && LOCK_ORDER.indexOf(lock) <= LOCK_ORDER.indexOf(last.lock))
    throw new Error(
      `a transaction that holds the lock '${last.lock}' must not take '${lock}': see LOCK_ORDER`,
    )
  HELD.set(transaction, [...held, { lock, of }])
  return true
}

/** Critical sections over all instances. The numbers are keys of Postgres advisory locks. */
const SECTIONS = {
  migrations: 5_170_001,
  registrations: 5_170_002,
  'audit days': 5_170_003,
  'audit chains': 5_170_004,
  'audit checkpoints': 5_170_005,
  'agent actions': 5_170_006,
} as const satisfies Partial<Record<Lock, number>>

/** Locks a section until the transaction ends. */
export const lockStatement = (section: keyof typeof SECTIONS): string =>
  `select pg_advisory_xact_lock(${SECTIONS[section]})`

/** Locks a section until the transaction ends. */
export async function lockSection(
  transaction: Transaction<Schema>,
  section: keyof typeof SECTIONS,
): Promise<void> {
  if (take(transaction, section) && isPostgres(transaction))
    await sql.raw(lockStatement(section)).execute(transaction)
}

/** Class of the advisory locks on addresses, users and indexes of chains, separate from those above. */
const SUBJECT_LOCKS = 5_170_100

/** Locks a mail address, a user or the index of a chain until the transaction ends. */
async function lockSubject(
  transaction: Transaction<Schema>,
  lock: 'address' | 'user' | 'chain index',
  of: string,
): Promise<void> {
  if (take(transaction, lock, of) && isPostgres(transaction))
    await sql`select pg_advisory_xact_lock(${sql.lit(SUBJECT_LOCKS)}, hashtext(${of}))`.execute(transaction)
}

export const lockAddress = (transaction: Transaction<Schema>, digest: string): Promise<void> =>
  lockSubject(transaction, 'address', digest)

export const lockUser = (transaction: Transaction<Schema>, userId: string): Promise<void> =>
  lockSubject(transaction, 'user', userId)

export const lockChainIndex = (transaction: Transaction<Schema>, mark: string): Promise<void> =>
  lockSubject(transaction, 'chain index', mark)

type AgentQuery<Row> = {
  forNoKeyUpdate(of: 'agents'): AgentQuery<Row>
  executeTakeFirst(): Promise<Row | undefined>
}

/** Locks the agent that the query finds until the transaction ends, and reads it as the lock's last holder left it. */
export async function lockAgentRow<Row extends { readonly no: number }>(
  transaction: Transaction<Schema>,
  query: AgentQuery<Row>,
): Promise<Row | undefined> {
  const row = await (isPostgres(transaction) ? query.forNoKeyUpdate('agents') : query).executeTakeFirst()
  if (row) take(transaction, 'agent', row.no)
  return row
}

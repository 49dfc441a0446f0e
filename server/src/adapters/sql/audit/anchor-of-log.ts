import { sql } from 'kysely'
import type { Anchored, AuditAnchor } from '#ports/stores/audit-anchor.ts'
import { dayOf } from '../../../durations.ts'
import type { Database } from '../schema.ts'
import { toChainId } from './chains.ts'
import { DROPPED_CHECKPOINT, EMPTY_MARK, NEWEST_CHECKPOINT } from './marks.ts'

/** The state to anchor now. Chains of days before yesterday are covered by checkpoints. */
export async function anchorOfLog(db: Database, at: number): Promise<AuditAnchor> {
  const marks = await db.selectFrom('audit_marks').select(['name', 'no', 'hash']).execute()
  const isRecent = (name: string) => {
    const chain = toChainId(name)
    return chain ? chain.day >= dayOf(at) - 1 : name === 'end'
  }
  const ends = marks.filter(({ name }) => isRecent(name)).map(({ name, no, hash }) => [name, { no, hash }])
  const newest = marks.find(({ name }) => name === NEWEST_CHECKPOINT)
  const action = await newestAction(db)
  return {
    at,
    checkpoint: newest ? { no: newest.no, hash: newest.hash } : EMPTY_MARK,
    action: action ?? EMPTY_MARK,
    ends: Object.fromEntries(ends),
  }
}

/** Selects the newest action, whose MAC covers all before it. */
export const NEWEST_ACTION = 'select no, mac as hash from agent_actions order by no desc limit 1'

export const newestAction = async (db: Database): Promise<Anchored | undefined> =>
  (await sql.raw<Anchored>(NEWEST_ACTION).execute(db)).rows[0]

/** A function, so that a query starts only if its result is awaited: an unawaited rejection is unhandled. */
type FindHash = () => Promise<string | undefined>

/** Whether the log still contains everything anchored, except what retention may have dropped. */
export async function holdsAnchor(db: Database, anchor: AuditAnchor): Promise<boolean> {
  const marks = await db.selectFrom('audit_marks').select(['name', 'no']).execute()
  const markOf = (name: string) => marks.find((mark) => mark.name === name)?.no ?? 0
  const isSame = async ({ no, hash }: Anchored, dropped: number, find: FindHash) =>
    no <= dropped || (await find()) === hash

  const { action, checkpoint, ends } = anchor
  if (!(await isSame(action, 0, () => actionAt(db, action.no)))) return false
  const findCheckpoint = () => checkpointAt(db, checkpoint.no)
  if (!(await isSame(checkpoint, markOf(DROPPED_CHECKPOINT), findCheckpoint))) return false
  const days = marks.flatMap(({ name }) => toChainId(name)?.day ?? [])
  for (const [name, end] of Object.entries(ends)) {
    const chain = toChainId(name)
    if (chain && isDropped(chain.day, days)) continue
    const find = () => batchHash(db, chain ? { ...chain, place: end.no } : { seq: end.no })
    if (!(await isSame(end, chain ? 0 : markOf('beginning'), find))) return false
  }
  return true
}

/** Days are dropped oldest first: a missing day was dropped if all present days are later. */
export const isDropped = (day: number, present: readonly number[]): boolean =>
  present.length > 0 && present.every((other) => other > day)

const actionAt = async (db: Database, no: number) =>
  (await db.selectFrom('agent_actions').select('mac').where('no', '=', no).executeTakeFirst())?.mac

const checkpointAt = async (db: Database, no: number) =>
  (await db.selectFrom('audit_checkpoints').select('hash').where('no', '=', no).executeTakeFirst())?.hash

type BatchPosition =
  | { readonly seq: number }
  | { readonly day: number; readonly instance: string; readonly place: number }

async function batchHash(db: Database, at: BatchPosition): Promise<string | undefined> {
  const where =
    'seq' in at
      ? sql`seq = ${at.seq}`
      : sql`day = ${at.day} and instance = ${at.instance} and place = ${at.place}`
  const { rows } = await sql<{ hash: string }>`select hash from audit_batches where ${where}`.execute(db)
  return rows[0]?.hash
}

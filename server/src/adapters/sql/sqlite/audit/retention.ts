import type { DatabaseSync } from 'node:sqlite'
import type { DaysKept } from '#ports/stores/audit-upkeep.ts'
import { DROPPED_CHECKPOINT } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { indexedAgents } from '../../audit/seqs-by-agent.ts'
import { BEGINNING, openAuditMarks } from './marks.ts'

/** A step blocks requests, so it must take only a few milliseconds, however large the batches are. */
const STEP_BATCHES = 20

/**
 * Drops the oldest batches in a transaction of the caller. Only signed batches are dropped; a mark keeps the
 * hash of the last one, from which the rest is verified.
 */
export function openRetention(database: DatabaseSync, seal: AuditSeal) {
  const marks = openAuditMarks(database, seal)
  const nextCheckpoint = database.prepare(
    'select no, last_seq, day from audit_checkpoints where last_seq > ? order by no limit 1',
  )
  const daysAfter = database.prepare(
    'select count(distinct day) as days from audit_checkpoints where no > ? and day <= ?',
  )
  const oldest = database.prepare(
    `select seq, body, hash from audit_batches where seq <= ? order by seq limit ${STEP_BATCHES}`,
  )
  const deleteBatch = database.prepare('delete from audit_batches where seq = ?')
  const deleteEntries = database.prepare('delete from agent_batches where agent_no = ? and last_seq <= ?')
  const lastSigned = database.prepare(
    'select no, hash from audit_checkpoints where last_seq <= ? order by no desc limit 1',
  )
  const deleteCheckpoints = database.prepare('delete from audit_checkpoints where no <= ?')

  /**
   * Batches are dropped in the order of writing, so a day labelled in the future would block all later ones.
   * It counts as old when the days signed after it outnumber those that retention keeps.
   */
  function isOver(no: number, day: number, { from, today, retentionDays }: DaysKept): boolean {
    if (day <= today) return day < from
    return Number(daysAfter.get(no, today)?.['days']) > retentionDays
  }

  /** A mark keeps the hash of the newest one dropped, which the next checkpoint refers to. */
  function dropCheckpoints(upTo: number): void {
    const newest = lastSigned.get(upTo)
    if (!newest) return
    deleteCheckpoints.run(Number(newest['no']))
    marks.write(DROPPED_CHECKPOINT, { no: Number(newest['no']), hash: String(newest['hash']) })
  }

  return (keep: DaysKept): number => {
    const beginning = marks.read(BEGINNING)
    const checkpoint = nextCheckpoint.get(beginning.no)
    if (!checkpoint || !isOver(Number(checkpoint['no']), Number(checkpoint['day']), keep)) return 0
    const batches = oldest.all(Number(checkpoint['last_seq']))
    const last = batches.at(-1)
    if (!last) return 0
    const agents = new Set<number>()
    for (const { seq, body } of batches) {
      for (const agentNo of indexedAgents(String(body))) agents.add(agentNo)
      deleteBatch.run(Number(seq))
    }
    // An index entry that also names kept batches stays until they are dropped.
    for (const agentNo of agents) deleteEntries.run(agentNo, Number(last['seq']))
    dropCheckpoints(Number(last['seq']))
    marks.write(BEGINNING, { no: Number(last['seq']), hash: String(last['hash']) })
    return batches.length
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { dayOf } from '../../../../durations.ts'
import { type AuditBatch, chainHash, newestIn, readBatch } from '../../audit/batch.ts'
import type { Mark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { GROUP, type GroupSize, openAuditIndex } from './index-agents.ts'
import { END, openAuditMarks } from './marks.ts'

/** Appends batches to the audit log inside the caller's transaction. */
export type AuditChain = {
  nextSeq(): number
  /** Returns the chain's new end, valid once the transaction is committed. An empty batch writes no row. */
  append(at: number, batch: AuditBatch): Mark
  committed(end: Mark): void
  /** After a failed commit the end on disk is unknown: it is read again when next needed. */
  failed(): void
  /** Whether the log ends at the sealed end mark. */
  endsAtMark(): boolean
  /** Time of the newest request in the log, admitted or refused. */
  newestAt(): number | undefined
}

export function openAuditChain(
  database: DatabaseSync,
  seal: AuditSeal,
  indexed: GroupSize = GROUP,
): AuditChain {
  const marks = openAuditMarks(database, seal)
  const newest = database.prepare('select seq, body, hash from audit_batches order by seq desc limit 1')
  const newestFirst = database.prepare('select body from audit_batches order by seq desc')
  const insertBatch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, ?, ?, ?)')
  const index = openAuditIndex(database, seal, indexed)

  /**
   * Continues from the end mark, whatever the table holds: cut-off or added batches remain visible as a break.
   */
  function readEnd(): Mark {
    const { no, hash } = marks.read(END)
    return { no: Math.max(no, Number(newest.get()?.['seq'] ?? 0)), hash }
  }

  let known: Mark | undefined
  const present = (): Mark => {
    known ??= readEnd()
    return known
  }
  return {
    nextSeq: () => present().no + 1,
    append(at, batch) {
      const end = present()
      if (batch.i.length + batch.o.length + batch.r.length === 0) return end
      const no = end.no + 1
      const day = dayOf(at)
      const body = JSON.stringify(batch)
      const hash = chainHash(end.hash, no, day, body)
      insertBatch.run(no, day, body, hash)
      marks.write(END, { no, hash })
      index.note({ no, hash }, batch)
      return { no, hash }
    },
    committed(end) {
      known = end
    },
    failed() {
      known = undefined
      index.forget()
    },
    endsAtMark() {
      const { no, hash, isGenuine } = marks.read(END)
      const row = newest.get()
      return isGenuine && Number(row?.['seq'] ?? 0) === no && (row === undefined || row['hash'] === hash)
    },
    newestAt() {
      // The last batches before a stop hold outcomes only, which have no timestamp; damaged ones are left to `audit verify`.
      for (const { body } of newestFirst.iterate()) {
        const batch = readBatch(String(body))
        const at = batch && newestIn(batch)
        if (at !== undefined) return at
      }
      return undefined
    },
  }
}

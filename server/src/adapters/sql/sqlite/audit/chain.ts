import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../../durations.ts'
import { type AuditBatch, chainHash, newestIn, toBatch } from '../../audit/batch.ts'
import type { Mark } from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'
import { BATCHES_PER_ENTRY, openAuditIndex } from './index-agents.ts'
import { END, openAuditMarks } from './marks.ts'

/** The newest end of the audit log: appends batches inside the caller's transaction. */
export type AuditChain = {
  nextSeq(): number
  /** Returns the new end of the chain, which holds once the transaction is committed. Nothing to say, no row. */
  append(at: number, batch: AuditBatch): Mark
  committed(end: Mark): void
  /** After a commit that failed nobody knows what is on the disk: the end is read anew when it is next needed. */
  failed(): void
  /** Whether the log ends where this service has left it. */
  endsAsLeft(): boolean
  /** When the newest request in the log was made, admitted or refused. */
  newestAt(): number | undefined
}

export function openAuditChain(database: DatabaseSync, seal: AuditSeal): AuditChain {
  const marks = openAuditMarks(database, seal)
  const newest = database.prepare('select seq, body, hash from audit_batches order by seq desc limit 1')
  const newestFirst = database.prepare('select body from audit_batches order by seq desc')
  const insertBatch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, ?, ?, ?)')
  const index = openAuditIndex(database, seal)

  /** Goes on from where it was left, whatever the table says now: what was cut off or added stays visible as a break. */
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
      const day = Math.floor(at / DAY_MS)
      const body = JSON.stringify(batch)
      const hash = chainHash(end.hash, no, day, body)
      insertBatch.run(no, day, body, hash)
      marks.write(END, { no, hash })
      index.noteBatch(no, batch)
      if (no % BATCHES_PER_ENTRY === 0) index.extend()
      return { no, hash }
    },
    committed(end) {
      known = end
    },
    failed() {
      known = undefined
      index.forget()
    },
    endsAsLeft() {
      const { no, hash, isGenuine } = marks.read(END)
      const row = newest.get()
      return isGenuine && Number(row?.['seq'] ?? 0) === no && (row === undefined || row['hash'] === hash)
    },
    newestAt() {
      // The last batches of a service that was stopped hold outcomes only, which have no time of their own.
      for (const { body } of newestFirst.iterate()) {
        const at = newestIn(toBatch(String(body)))
        if (at !== undefined) return at
      }
      return undefined
    },
  }
}

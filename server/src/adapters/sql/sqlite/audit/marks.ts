import type { DatabaseSync } from 'node:sqlite'
import {
  type ANCHORED,
  type DROPPED_CHECKPOINT,
  EMPTY_MARK,
  type Mark,
  markText,
  type NEWEST_CHECKPOINT,
} from '../../audit/marks.ts'
import type { AuditSeal } from '../../audit/seal.ts'

/** Marks of SQLite's single chain: the last batch, the last one dropped, and the last one indexed. */
export const END = 'end'
export const BEGINNING = 'beginning'
export const INDEXED = 'indexed'

type MarkName =
  | typeof END
  | typeof BEGINNING
  | typeof INDEXED
  | typeof ANCHORED
  | typeof NEWEST_CHECKPOINT
  | typeof DROPPED_CHECKPOINT

export function openAuditMarks(database: DatabaseSync, seal: AuditSeal) {
  const select = database.prepare('select no, hash, mac from audit_marks where name = ?')
  const update = database.prepare('update audit_marks set no = ?, hash = ?, mac = ? where name = ?')
  const insert = database.prepare('insert into audit_marks (no, hash, mac, name) values (?, ?, ?, ?)')
  return {
    /** `isGenuine`: the MAC matches, or the mark was never written. */
    read(name: MarkName): Mark & { readonly isGenuine: boolean } {
      const row = select.get(name)
      if (!row) return { ...EMPTY_MARK, isGenuine: true }
      const mark = { no: Number(row['no']), hash: String(row['hash']) }
      return { ...mark, isGenuine: seal.isMac(markText(name, mark), String(row['mac'])) }
    },
    write(name: MarkName, mark: Mark): void {
      const values = [mark.no, mark.hash, seal.mac(markText(name, mark)), name] as const
      if (update.run(...values).changes === 0) insert.run(...values)
    },
  }
}

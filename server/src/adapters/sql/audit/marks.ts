import type { DatabaseSync } from 'node:sqlite'
import type { AuditSeal } from './seal.ts'

/**
 * Where the audit log ends, where it begins after old days were dropped, how far it is signed, and how far the index
 * goes. Without these a batch cut off at either end would be missed by nobody.
 */
export type MarkName = 'end' | 'beginning' | 'checkpoint' | 'indexed'

/** `no` and `hash` are those of the last batch, of the last one dropped, of the last checkpoint, of the last indexed. */
export type Mark = { readonly no: number; readonly hash: string }

export const CHAIN_START = '0'.repeat(64)
export const NOTHING_YET: Mark = { no: 0, hash: CHAIN_START }

export function openAuditMarks(database: DatabaseSync, seal: AuditSeal) {
  const select = database.prepare('select no, hash, mac from audit_marks where name = ?')
  const update = database.prepare('update audit_marks set no = ?, hash = ?, mac = ? where name = ?')
  const insert = database.prepare('insert into audit_marks (no, hash, mac, name) values (?, ?, ?, ?)')
  return {
    /** Whether the mark is as this service wrote it; one that was never written is. */
    read(name: MarkName): Mark & { readonly isGenuine: boolean } {
      const row = select.get(name)
      if (!row) return { ...NOTHING_YET, isGenuine: true }
      const mark = { no: Number(row['no']), hash: String(row['hash']) }
      return { ...mark, isGenuine: seal.isMac(markText(name, mark), String(row['mac'])) }
    },
    write(name: MarkName, mark: Mark): void {
      const values = [mark.no, mark.hash, seal.mac(markText(name, mark)), name] as const
      if (update.run(...values).changes === 0) insert.run(...values)
    },
  }
}

/** What the MAC of a mark seals. */
export const markText = (name: string, { no, hash }: Mark): string => `${name}\n${no}\n${hash}`

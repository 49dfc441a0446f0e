import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../../fault.ts'
import { isUnreleased, MIGRATIONS, unreleased } from '../migrate.ts'
import { sqliteCode } from './errors.ts'

const HEADER = 'SQLite format 3\0'
/** Checking all pages takes about 1.5 s per gigabyte; larger files are checked page by page, when used. */
const FULLY_CHECKED_BYTES = 64 * 1024 * 1024

/** Refuses a database that is damaged, newer than this program or another program's, without changing it. */
export function inspectSqlite(file: string): void {
  const size = statSync(file).size
  if (size === 0) return
  if (readHeader(file) !== HEADER) throw damaged(file, 'it is not a SQLite database')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    inspectTables(database, file)
    if (size <= FULLY_CHECKED_BYTES) inspectPages(database, file)
  } catch (cause) {
    if (sqliteCode(cause) === undefined) throw cause
    throw damaged(file, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    database.close()
  }
}

function readHeader(file: string): string {
  const bytes = Buffer.alloc(HEADER.length)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, bytes)
  } finally {
    closeSync(handle)
  }
  return bytes.toString('latin1')
}

function inspectTables(database: DatabaseSync, file: string): void {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
  if (tables.length === 0) return
  if (!tables.some((table) => table['name'] === 'migrations')) {
    throw refusal(
      `${file} belongs to another program. Nothing was changed. Choose another folder with DATA_DIR.`,
    )
  }
  const ours = new Set(MIGRATIONS.map((migration) => migration.name))
  const rows = database.prepare('select name from migrations order by name').all()
  const applied = rows.map((row) => String(row['name']))
  if (isUnreleased(applied)) {
    const folder = dirname(file)
    throw unreleased(
      file,
      `Move the folder away (mv ${folder} ${folder}-before) and start again, or choose another one with DATA_DIR.`,
    )
  }
  const unknown = applied.filter((name) => !ours.has(name))
  if (unknown.length === 0) return
  throw refusal(
    `${file} was written by a newer version of Stakewright (it has ${unknown.join(', ')}). Nothing was changed. ` +
      'Start that version again, or choose another folder with DATA_DIR.',
  )
}

function inspectPages(database: DatabaseSync, file: string): void {
  const found = database.prepare('pragma quick_check(1)').all()
  const verdict = String(found[0]?.['quick_check'])
  if (verdict !== 'ok') throw damaged(file, verdict.split('\n').at(-1) ?? verdict)
}

function damaged(file: string, reason: string, cause?: unknown): Fault {
  return refusal(
    `${file} is damaged (${reason}). Nothing was changed. Restore it from a backup, or move it away to start anew.`,
    cause,
  )
}

function refusal(message: string, cause?: unknown): Fault {
  return new Fault('store_not_ready', message, { cause })
}

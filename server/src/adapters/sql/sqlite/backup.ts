import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refusal } from '../../../fault.ts'
import { syncPath } from '../sync-path.ts'
import { withSqliteFaults } from './errors.ts'
import { createPrivateFile } from './private-files.ts'

const DATABASE = 'stakewright.db'

/**
 * Copies the SQLite store into a new folder that can serve as a data folder: the database as of one commit,
 * the secrets and the anchor. Reads in one transaction, so the service continues. The new folder appears
 * complete and synced to disk, or not at all.
 */
export async function backUpSqlite(
  folder: string,
  to: string,
  secretFiles: readonly string[],
  anchorFile: string,
): Promise<void> {
  if (existsSync(to))
    throw refusal('invalid_input', `${to} exists already.`, 'Name a folder that is not there yet.')
  const draft = `${to}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  try {
    const copy = async (name: string) => {
      if (existsSync(join(folder, name))) await copyFile(join(folder, name), join(draft, name))
    }
    // Copied before the database, which then contains everything anchored.
    await copy(anchorFile)
    copyDatabase(join(folder, DATABASE), join(draft, DATABASE))
    for (const name of secretFiles) await copy(name)
    for (const name of [DATABASE, anchorFile, ...secretFiles]) {
      if (existsSync(join(draft, name))) await syncPath(join(draft, name))
    }
    await syncPath(draft)
    await rename(draft, to)
    await syncPath(dirname(to))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function copyDatabase(from: string, to: string): void {
  createPrivateFile(to)
  using database = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  withSqliteFaults(() => database.prepare('vacuum into ?').run(to))
}

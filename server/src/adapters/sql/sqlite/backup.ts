import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { refusal } from '../../../fault.ts'
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
    for (const name of [DATABASE, anchorFile, ...secretFiles]) await sync(join(draft, name))
    await sync(draft)
    await rename(draft, to)
    await sync(dirname(to))
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function copyDatabase(from: string, to: string): void {
  createPrivateFile(to)
  using database = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  withSqliteFaults(() => database.prepare('vacuum into ?').run(to))
}

/** Skipped on Windows, which cannot open folders. */
async function sync(path: string): Promise<void> {
  if (platform() === 'win32' || !existsSync(path)) return
  await using handle = await open(path, 'r')
  await handle.sync()
}

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../../fault.ts'

/**
 * Detects that the open database file was deleted or replaced: the process would continue to write to an
 * unlinked file and lose everything it acknowledges.
 */
export function watchFile(file: string): () => void {
  const opened = statSync(file)
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found !== undefined && found.ino === opened.ino && found.dev === opened.dev) return
    throw new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.', {
      cause: new Error(
        `${file} was ${found === undefined ? 'deleted' : 'replaced'} while the service runs. Stop the service, put the data folder back, and start again.`,
      ),
    })
  }
}

/** Secrets created at the first start, after the database. */
const SECRETS_OF_A_START = ['key-pepper', 'audit-key']

/** A missing or empty database beside existing secrets was lost: creating a new one would hide that. */
export function refuseLostDatabase(folder: string, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const left = SECRETS_OF_A_START.filter((name) => existsSync(join(folder, name)))
  if (size > 0 || left.length === 0) return
  throw new Fault(
    'store_not_ready',
    `${file} is missing or empty, but ${folder} has secrets of an earlier start (${left.join(', ')}). Restore the database from a backup. To start anew without its data, remove these files.`,
  )
}

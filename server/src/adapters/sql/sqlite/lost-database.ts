import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../../fault.ts'
import { watchLog } from './wal/log-watch.ts'

type DatabaseWatch = Disposable & {
  /** Throws once a file of the open database was deleted, replaced or shortened behind its back. */
  assertInPlace(): void
}

const LOST = {
  database: 'Stop the service, put the data folder back, and start again.',
  log: 'Stop the service with SIGTERM, not SIGKILL: it has the deleted file open still, and writes it to the database when it stops.',
  index: 'Stop the service and start it again.',
  shortened: 'Stop the service, and restore the database from a backup.',
}

/**
 * Watches the files of the open database: the process would continue to write to an unlinked or emptied file,
 * and lose everything it acknowledges. Without a write-ahead log it watches the database alone.
 */
export function watchDatabase(file: string): DatabaseWatch {
  const database = watchFile(file, LOST.database)
  if (!existsSync(`${file}-shm`)) return { assertInPlace: () => void database(), [Symbol.dispose]() {} }
  const log = watchFile(`${file}-wal`, LOST.log)
  const index = watchFile(`${file}-shm`, LOST.index)
  const contents = watchLog(file)
  let shortened: Fault | undefined
  return {
    assertInPlace() {
      if (shortened) throw shortened
      const found = contents.findShortened({ database: database(), log: log(), index: index() })
      if (found === undefined) return
      const name = { database: file, log: `${file}-wal`, index: `${file}-shm` }[found]
      shortened = lost(name, 'shortened', LOST.shortened)
      throw shortened
    },
    [Symbol.dispose]: () => contents[Symbol.dispose](),
  }
}

/** Returns a function that returns the size of the file, and throws if it is not the same file any more. */
function watchFile(file: string, advice: string): () => number {
  const opened = statSync(file)
  return () => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found !== undefined && found.ino === opened.ino && found.dev === opened.dev) return found.size
    throw lost(file, found === undefined ? 'deleted' : 'replaced', advice)
  }
}

function lost(file: string, how: string, advice: string): Fault {
  return new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.', {
    cause: new Error(`${file} was ${how} while the service runs. ${advice}`),
  })
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

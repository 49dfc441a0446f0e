import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../../fault.ts'
import { watchLog } from './wal/log-watch.ts'
import { watchNames } from './wal/name-watch.ts'

export type DatabaseWatch = Disposable & {
  /** Throws if a file of the open database was deleted, replaced or shortened behind its back. */
  assertInPlace(): void
  /** Repeats the check only if the last one found a loss. */
  assertNotLost(): void
}

const ADVICE = {
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
  const advice = new Map([[file, ADVICE.database]])
  const hasLog = existsSync(`${file}-shm`)
  if (hasLog) advice.set(`${file}-wal`, ADVICE.log).set(`${file}-shm`, ADVICE.index)
  using opened = new DisposableStack()
  const names = opened.use(watchNames(dirname(file), [...advice.keys()]))
  const contents = hasLog ? opened.use(watchLog(file)) : undefined
  // A shortened file stays lost; a moved one may be put back.
  let shortened: Fault | undefined
  let isLost = false

  function assertInPlace(): void {
    if (shortened) throw shortened
    isLost = true
    const away = names.findLost()
    if (away) throw lost(away.file, away.how, advice.get(away.file) ?? '')
    const cut = contents?.findShortened()
    if (cut) {
      shortened = lost(cut === 'log' ? `${file}-wal` : file, 'shortened', ADVICE.shortened)
      throw shortened
    }
    isLost = false
  }

  const resources = opened.move()
  return {
    assertInPlace,
    assertNotLost: () => void (isLost && assertInPlace()),
    [Symbol.dispose]: () => resources.dispose(),
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

import { rmSync, statSync, writeFileSync } from 'node:fs'

/** A change of a small file takes milliseconds: a lock this old belongs to a process that has died. */
const ABANDONED_MS = 5_000
const RETRY_MS = 10
const MAX_TRIES = (3 * ABANDONED_MS) / RETRY_MS

/** Runs `work` while holding a lock on the file, which every process that changes the file takes. */
export function underLock<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`
  for (let tries = 0; !create(lock); tries += 1) {
    if (tries === MAX_TRIES) throw new Error(`${lock} is not released. Remove it if no command is running.`)
    removeAbandoned(lock)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
  }
  try {
    return work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** False if the lock exists already. */
function create(lock: string): boolean {
  try {
    writeFileSync(lock, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Takes a second lock: without it, a process could remove the lock that another has just taken. */
function removeAbandoned(lock: string): void {
  if (!isAbandoned(lock)) return
  const takeover = `${lock}.takeover`
  if (!create(takeover)) return
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true })
  } finally {
    rmSync(takeover, { force: true })
  }
}

function isAbandoned(lock: string): boolean {
  const takenAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return takenAt !== undefined && Math.abs(Date.now() - takenAt) > ABANDONED_MS
}

import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** A change of a small file takes milliseconds: a lock this old belongs to a process that has died. */
const ABANDONED_MS = 5_000
const RETRY_MS = 10
const MAX_TRIES = (3 * ABANDONED_MS) / RETRY_MS

/** Runs `work` while holding a lock on the file, which every process that changes the file takes. */
export function underLock<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`
  let release = take(lock)
  for (let tries = 0; !release; tries += 1) {
    if (tries === MAX_TRIES) throw new Error(`${lock} is not released. Remove it if no command is running.`)
    removeAbandoned(lock)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    release = take(lock)
  }
  try {
    return work()
  } finally {
    release()
  }
}

/** Takes the lock and returns what releases it; undefined if it is held. */
function take(lock: string): (() => void) | undefined {
  const mark = randomUUID()
  try {
    writeFileSync(lock, mark, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
  return () => {
    // A holder that was too slow must not release the lock of the one that took it over.
    if (markIn(lock) === mark) rmSync(lock, { force: true })
  }
}

function markIn(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Takes a second lock: without it, a process could remove the lock that another has just taken. */
function removeAbandoned(lock: string): void {
  if (!isAbandoned(lock)) return
  const takeover = `${lock}.takeover`
  // The process of that lock has died, too.
  if (isAbandoned(takeover)) rmSync(takeover, { force: true })
  const release = take(takeover)
  if (!release) return
  try {
    if (isAbandoned(lock)) rmSync(lock, { force: true })
  } finally {
    release()
  }
}

function isAbandoned(lock: string): boolean {
  const takenAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return takenAt !== undefined && Math.abs(Date.now() - takenAt) > ABANDONED_MS
}

/** The code of an error of the file system. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

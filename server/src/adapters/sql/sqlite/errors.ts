import { Fault } from '../../../fault.ts'

/** Upper bound of the wait for the file's lock, which only another tool can hold: waiting blocks the process. */
export const BUSY_TIMEOUT_MS = 400

/** SQLite's primary result codes for a store that cannot work, as opposed to a faulty statement. */
const NOT_WORKING = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

/** The primary result code of a SQLite error; the upper bits hold the extended code. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === NOT_WORKING.busy
}

/** Turns errors of a store that cannot work (disk full, file damaged, …) into a fault that says so. */
export function withSqliteFaults<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = sqliteCode(cause)
    if (!Object.values<number | undefined>(NOT_WORKING).includes(code)) throw cause
    throw new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.', {
      cause,
    })
  }
}

import { Fault } from '../../../fault.ts'

/** Nobody but another tool can hold the file, and waiting for it stops everything: longer than this is a fault. */
export const BUSY_TIMEOUT_MS = 400

/** SQLite's primary result codes for a store that cannot work, as against a statement that is wrong. */
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

/** The primary result code of an error that SQLite raised; its upper bits only say more about it. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined
  return error.errcode & 0xff
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error) === NOT_WORKING.busy
}

/** Runs the work, and turns a store that cannot work (disk full, file damaged, …) into the refusal that says so. */
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

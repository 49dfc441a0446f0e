import type { DatabaseSync } from 'node:sqlite'
import { BUSY_TIMEOUT_MS, isBusy } from './errors.ts'

/**
 * Waiting for another tool's lock blocks the whole process, so only the first commit that meets one waits.
 * Later commits fail at once until one succeeds: no request is delayed by more than two such waits.
 */
export function waitForLockOnce(database: DatabaseSync) {
  let mayWait = true

  function setWaiting(wait: boolean): void {
    if (wait === mayWait) return
    database.exec(`pragma busy_timeout = ${wait ? BUSY_TIMEOUT_MS : 0}`)
    mayWait = wait
  }

  return <T>(work: () => T): T => {
    try {
      const result = work()
      setWaiting(true)
      return result
    } catch (error) {
      if (isBusy(error)) setWaiting(false)
      throw error
    }
  }
}

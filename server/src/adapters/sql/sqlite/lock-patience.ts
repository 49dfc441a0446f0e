import type { DatabaseSync } from 'node:sqlite'
import { BUSY_TIMEOUT_MS, isBusy } from './errors.ts'

/**
 * Waiting for another tool's lock blocks the whole process, so only the first commit that meets one waits.
 * Later commits fail at once until one succeeds: no request is delayed by more than two such waits.
 */
export function lockPatience(database: DatabaseSync) {
  let isPatient = true

  function become(patient: boolean): void {
    if (patient === isPatient) return
    database.exec(`pragma busy_timeout = ${patient ? BUSY_TIMEOUT_MS : 0}`)
    isPatient = patient
  }

  return <T>(work: () => T): T => {
    try {
      const result = work()
      become(true)
      return result
    } catch (error) {
      if (isBusy(error)) become(false)
      throw error
    }
  }
}

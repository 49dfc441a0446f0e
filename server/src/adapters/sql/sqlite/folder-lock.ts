import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault } from '../../../fault.ts'
import { isBusy } from './errors.ts'
import { createPrivateFile } from './private-files.ts'

/**
 * Locks the folder for this process, by an exclusive transaction on a separate file: the operating system
 * releases it however the process ends.
 */
export function lockFolder(folder: string): Disposable {
  const file = join(folder, 'lock.db')
  createPrivateFile(file)
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('begin exclusive')
    return database
  } catch (cause) {
    database.close()
    if (!isBusy(cause)) throw cause
    throw new Fault(
      'store_not_ready',
      `Another Stakewright process uses the data folder ${folder}. Stop it first, or give this one a folder of its own with DATA_DIR.`,
      { cause },
    )
  }
}

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { Fault } from '../../../fault.ts'

/** A folder that only its owner may enter. One that exists stays as its owner has set it. */
export function createPrivateFolder(folder: string): void {
  inFolder(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/** An empty file that only its owner may read. SQLite gives its journals the mode of the database they belong to. */
export function createPrivateFile(file: string): void {
  inFolder(file, () => closeSync(openSync(file, 'a', 0o600)))
}

function inFolder(path: string, work: () => void): void {
  try {
    work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Fault(
      'store_not_ready',
      `${path} cannot be written (${reason}). Allow it, or choose another folder with DATA_DIR.`,
      { cause },
    )
  }
}

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { Fault } from '../../../fault.ts'

/** Creates a folder with mode 0700. An existing folder keeps its mode. */
export function createPrivateFolder(folder: string): void {
  inFolder(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
}

/** Creates an empty file with mode 0600, which SQLite's journals inherit. */
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

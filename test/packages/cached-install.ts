import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installInto } from './npm-project.ts'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'installed')

/** The folder of an installed package, or why it could not be installed. */
export type Installed = { readonly folder: string } | { readonly why: string }

/**
 * Installs a package from npm into a cache folder, once. For packages that only a test needs and that would more than
 * double everybody's installation.
 */
export async function installOnce(name: string, version: string): Promise<Installed> {
  const home = join(CACHE, `${name.replaceAll('/', '+')}@${version}`)
  const folder = join(home, 'node_modules', name)
  if (existsSync(folder)) return { folder }
  await mkdir(CACHE, { recursive: true })
  // Several test files may install at once, each into a folder of its own; the first to rename it wins.
  const fresh = await mkdtemp(join(CACHE, 'installing-'))
  try {
    await installInto(fresh, [`${name}@${version}`])
    await rename(fresh, home).catch(() => undefined)
    return { folder }
  } catch (error) {
    return { why: `npm could not install ${name}@${version}: ${error}` }
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { installInto } from './npm-project.ts'

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'installed')

/** The folder of an installed package, or why it cannot be had. */
export type Installed = { readonly folder: string } | { readonly why: string }

/**
 * Installs a package from npm once, beside the workspace's own packages: for what only a test runs and what would more
 * than double the install of everybody else.
 */
export async function installOnce(name: string, version: string): Promise<Installed> {
  const home = join(CACHE, `${name.replaceAll('/', '+')}@${version}`)
  const folder = join(home, 'node_modules', name)
  if (existsSync(folder)) return { folder }
  await mkdir(CACHE, { recursive: true })
  // Several test files may install at once: each has a folder of its own, and the first one gives its folder the name.
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

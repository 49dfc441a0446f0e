import { posix } from 'node:path'
import type { WebFiles } from './prepare-files.ts'

const STATIC_IMPORT = /^\s*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm

/** Every module that `entry` needs before it runs, itself first: what a browser may fetch at once. */
export function modulesFor(
  entry: string,
  { files }: WebFiles,
  importPaths: Readonly<Record<string, string>>,
): readonly string[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    const file = files.get(path)
    if (file === undefined || found.has(path)) return
    found.add(path)
    const code = Buffer.from(file.bytes).toString()
    for (const [, name = ''] of code.matchAll(STATIC_IMPORT)) {
      visit(name.startsWith('.') ? posix.join(posix.dirname(path), name) : (importPaths[name] ?? ''))
    }
  }
  visit(entry)
  return [...found]
}

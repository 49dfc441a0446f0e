import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openShell, readSteps, type Shell } from './documented-commands.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The commands of one section of a document, in order. */
export async function commandsOf(file: string, heading: string): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, file), 'utf8')
  const section = text.split(/^(?=#+ )/m).find((part) => part.split('\n')[0]?.replace(/^#+ /, '') === heading)
  if (section === undefined) throw new Error(`${file} has no section "${heading}"`)
  return readSteps(section).map(({ commands }) => commands)
}

/** A shell in the root of the workspace, like a reader's, with these variables. */
export const openReadersShell = (env: Readonly<Record<string, string>>): Shell => {
  const { PATH = '', HOME = '' } = process.env
  return openShell({ PATH, HOME, ...env }, ROOT)
}

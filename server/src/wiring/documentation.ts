import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of docs/, which ships with the service. */
export type Documentation = {
  /** File names in the order of the alphabet. */
  readonly names: readonly string[]
  readonly read: (name: string) => string
}

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs')

export function documentation(): Documentation {
  const names = existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((name) => name.endsWith('.md'))
        .toSorted()
    : []
  return { names, read: (name) => readFileSync(join(FOLDER, name), 'utf8') }
}

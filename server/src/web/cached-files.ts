import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { WebFiles } from './prepare-files.ts'

const PREFIX = 'stakewright-web-'

type CacheNeeds = {
  readonly prepare: () => WebFiles
  /** Names everything that the prepared files are made from. */
  readonly id: string
  /** Where Node keeps the code that it has compiled; undefined if it keeps none. */
  readonly folder: string | undefined
}

/** The files as an earlier start has prepared them from the same sources: preparing takes half a second of a start. */
export function cachedFiles({ prepare, id, folder }: CacheNeeds): WebFiles {
  if (folder === undefined) return prepare()
  const file = join(folder, PREFIX + id)
  const cached = readCached(file)
  if (cached) return cached
  const prepared = prepare()
  try {
    writeCached(file, prepared)
  } catch {
    // A folder that cannot be written to: the next start prepares them, too.
  }
  return prepared
}

/** Of what these files contain. The folder is of one version of Node, which strips the types. */
export function idOf(files: readonly string[], more: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(more))
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

/** Undefined also for what is damaged. */
function readCached(file: string): WebFiles | undefined {
  try {
    return toWebFiles(deserialize(readFileSync(file)))
  } catch {
    return undefined
  }
}

/** Only `writeCached` writes such files, and whole ones. */
const toWebFiles = (value: unknown): WebFiles => value as WebFiles

/** Appears whole or not at all: several instances may start at once. Those of older sources go. */
function writeCached(file: string, files: WebFiles): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const older = readdirSync(folder).filter((name) => name.startsWith(PREFIX) && name !== basename(file))
  const draft = `${file}-${randomUUID()}`
  writeFileSync(draft, serialize(files))
  renameSync(draft, file)
  for (const name of older) rmSync(join(folder, name), { force: true })
}

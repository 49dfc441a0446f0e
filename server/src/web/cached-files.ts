import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { WebFiles } from './prepare-files.ts'

const PREFIX = 'stakewright-web-'

type CacheNeeds = {
  readonly prepare: () => WebFiles
  /** Hash of everything that the prepared files depend on. */
  readonly id: string
  /** The folder of Node's compile cache; undefined if there is none. */
  readonly folder: string | undefined
}

/** Caches the prepared files on disk between starts, because preparing takes half a second of a start. */
export function cachedFiles({ prepare, id, folder }: CacheNeeds): WebFiles {
  if (folder === undefined) return prepare()
  const file = join(folder, PREFIX + id)
  const cached = readCached(file)
  if (cached) return cached
  const prepared = prepare()
  try {
    writeCached(file, prepared)
  } catch {
    // The folder is not writable, so the next start prepares them again.
  }
  return prepared
}

/** Hash of the files' content. Node's version, on which stripped types depend, is part of the cache folder's name. */
export function idOf(files: readonly string[], more: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(more))
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

/** Undefined if the file is missing or damaged. */
function readCached(file: string): WebFiles | undefined {
  try {
    return toWebFiles(deserialize(readFileSync(file)))
  } catch {
    return undefined
  }
}

/** The cast holds because only `writeCached` writes such files, atomically. */
const toWebFiles = (value: unknown): WebFiles => value as WebFiles

/** Writes atomically, because several instances may start at once, and removes the files of older sources. */
function writeCached(file: string, files: WebFiles): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const older = readdirSync(folder).filter((name) => name.startsWith(PREFIX) && name !== basename(file))
  const draft = `${file}-${randomUUID()}`
  writeFileSync(draft, serialize(files))
  renameSync(draft, file)
  for (const name of older) rmSync(join(folder, name), { force: true })
}

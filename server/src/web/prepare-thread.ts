import { readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { cachedFiles, idOf } from './cached-files.ts'
import { prepareFiles } from './prepare-files.ts'
import { importPaths, listStyles, listWebSources } from './web-sources.ts'

/** The code that prepares and compresses the files: a change of it must invalidate the cache. */
const code = [
  ...readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name)),
  fileURLToPath(import.meta.resolve('#http/wire/encoding.ts')),
]
const sources = listWebSources().map(({ file }) => file)
const id = idOf([...code, ...sources, ...listStyles()], importPaths())
parentPort?.postMessage(cachedFiles({ prepare: prepareFiles, id, folder: getCompileCacheDir() }))

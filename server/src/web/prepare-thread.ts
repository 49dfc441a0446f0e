import { readdirSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { idOf, keptFiles } from './kept-files.ts'
import { prepareFiles } from './prepare-files.ts'
import { importPaths, listStyles, listWebSources } from './web-sources.ts'

const code = readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name))
const sources = listWebSources().map(({ file }) => file)
const id = idOf([...code, ...sources, ...listStyles()], importPaths())
parentPort?.postMessage(keptFiles({ prepare: prepareFiles, id, folder: getCompileCacheDir() }))

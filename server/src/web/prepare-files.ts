import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { PAGES } from '@stakewright/web/pages'
import { compressOnce } from '#http/wire/encoding.ts'
import { bundleModules } from './bundle.ts'
import { indexOf, textsOfDocs } from './docs-index.ts'
import { stripTypes } from './strip-types.ts'
import { importPaths, listStyles, listWebSources } from './web-sources.ts'

export type WebFile = {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The same compressed, and cached together with it, because compressing takes the largest part of a start. */
  readonly brotli: Uint8Array
}

export type WebFiles = {
  /** Hash of all files; part of their URLs, so that they may be cached forever. */
  readonly build: string
  readonly files: ReadonlyMap<string, WebFile>
}

export const STYLE_PATH = 'app.css'
export const ICON_PATH = 'app/icon.svg'
export const MAIN_PATH = 'app/main.ts'
export const pagePath = (module: string): string => `app/pages/${module}.ts`
const DOCS_INDEX_PATH = 'docs/index.json'
const DOCS_TEXTS_PATH = 'docs/texts.json'

const TYPES: Readonly<Record<string, string>> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

const CODE = new Set(['.ts', '.mjs', '.js'])

/** Reads the sources of the web app, strips the types and bundles them. Called by `prepare-in-thread.ts`. */
export function prepareFiles(): WebFiles {
  const codes = new Map<string, string>()
  const texts = new Map<string, string>()
  for (const { file, path, ending = '' } of listWebSources()) {
    if (TYPES[extname(path)] === undefined) continue
    const text = readFileSync(file, 'utf8') + ending
    if (!CODE.has(extname(path))) texts.set(path, text)
    else codes.set(path, extname(path) === '.ts' ? stripTypes(text) : text)
  }
  const pages = PAGES.map(({ module }) => pagePath(module))
  for (const [path, code] of bundleModules(codes, importPaths(), { main: MAIN_PATH, pages }))
    texts.set(path, code)
  texts.set(
    STYLE_PATH,
    listStyles()
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n'),
  )
  const docs = textsOfDocs(texts)
  texts.set(DOCS_INDEX_PATH, JSON.stringify(indexOf(docs)))
  texts.set(DOCS_TEXTS_PATH, JSON.stringify(docs))
  const files = new Map([...texts].map(([path, text]) => [path, toWebFile(path, text)]))
  return { build: hashOf(texts), files }
}

function toWebFile(path: string, text: string): WebFile {
  // A copy, because a Buffer may be a view of a shared pool, all of which would be sent to the other thread.
  const bytes = new Uint8Array(Buffer.from(text))
  const brotli = new Uint8Array(compressOnce(bytes))
  return { contentType: TYPES[extname(path)] ?? 'application/octet-stream', bytes, brotli }
}

function hashOf(texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [path, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\0${text}\0`)
  return hash.digest('hex').slice(0, 16)
}

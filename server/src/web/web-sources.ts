import { readdirSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the web app, its path below `/web/<build>/`, and text to append. */
type WebSource = { readonly file: string; readonly path: string; readonly ending?: string }

function folderOf(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url)
  if (manifest === undefined) throw new Error(`The package ${name} is not installed.`)
  return dirname(manifest)
}

/** Libraries, straight from their packages: name in `import` statements → file in the package. */
const VENDOR: Readonly<Record<string, readonly [packageName: string, file: string]>> = {
  preact: ['preact', 'dist/preact.mjs'],
  'preact/hooks': ['preact', 'hooks/dist/hooks.mjs'],
  htm: ['htm', 'dist/htm.module.js'],
  'lean-qr': ['lean-qr', 'index.mjs'],
  uplot: ['uplot', 'dist/uPlot.iife.min.js'],
}

/** Text that turns a library's minified script into a module. */
const ENDINGS: Readonly<Record<string, string>> = { 'dist/uPlot.iife.min.js': '\nexport default uPlot\n' }

/** Our own packages that also run in the browser. */
const OWN = ['@stakewright/client', '@stakewright/contract'] as const

const DOCS = fileURLToPath(new URL('../../../docs', import.meta.url))
const STYLE_FIRST = ['tokens.css', 'base.css']

export function listWebSources(): readonly WebSource[] {
  const web = folderOf('@stakewright/web')
  return [
    ...filesIn(join(web, 'src'), 'app').filter(({ path }) => !path.endsWith('.css')),
    ...OWN.flatMap((name) => filesIn(join(folderOf(name), 'src'), shortName(name))),
    ...Object.values(VENDOR).map(([name, file]) => ({
      file: join(folderOf(name), file),
      path: vendorPath(name, file),
      ending: ENDINGS[file] ?? '',
    })),
    ...filesIn(DOCS, 'docs').filter(({ path }) => /^docs\/[^/]+\.md$/.test(path)),
  ]
}

/** Style sheets in the order of the cascade: libraries, tokens, base, one file per part, then other media. */
export function listStyles(): readonly string[] {
  const folder = join(folderOf('@stakewright/web'), 'src', 'style')
  const parts = stylesIn(folder).filter((name) => !STYLE_FIRST.includes(name))
  const media = stylesIn(join(folder, 'media')).map((name) => join('media', name))
  return [
    join(folderOf('uplot'), 'dist/uPlot.min.css'),
    ...[...STYLE_FIRST, ...parts, ...media].map((name) => join(folder, name)),
  ]
}

const stylesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.css'))
    .sort()

/** Import map: the bare names that modules of the web app may import, and their paths. */
export function importPaths(): Readonly<Record<string, string>> {
  const vendor = Object.entries(VENDOR).map(([name, [from, file]]) => [name, vendorPath(from, file)] as const)
  return Object.fromEntries([...vendor, ...OWN.flatMap(exportedPaths)])
}

function exportedPaths(name: string): readonly (readonly [string, string])[] {
  const { exports } = toManifest(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
  return Object.entries(exports)
    .filter(([, file]) => extname(file) === '.ts')
    .map(([subpath, file]) => [join(name, subpath), file.replace('./src', shortName(name))] as const)
}

/** Our own packages export one file per name. */
const toManifest = (text: string) =>
  JSON.parse(text) as { readonly exports: Readonly<Record<string, string>> }

const shortName = (name: string) => name.replace('@stakewright/', '')
const vendorPath = (name: string, file: string) => `vendor/${name}/${basename(file)}`

function filesIn(folder: string, prefix: string): readonly WebSource[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const found = { file: join(folder, entry.name), path: `${prefix}/${entry.name}` }
    if (entry.isDirectory()) return filesIn(found.file, found.path)
    return entry.name.endsWith('.test.ts') ? [] : [found]
  })
}

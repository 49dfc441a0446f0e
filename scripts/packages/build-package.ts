import { execFile } from 'node:child_process'
import { cp, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { licencesOf } from './licences.ts'
import { entriesOf, type Manifest, publishedManifest } from './manifest.ts'
import type { PublishedPackage } from './package-list.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)
const copy = promisify(cp)

/** Writes the package as it is published to a folder below `stage`: JavaScript, types, package.json, README, LICENSE. */
export async function buildPackage(
  { folder, platform, kind }: PublishedPackage,
  stage: string,
): Promise<string> {
  const source = join(ROOT, folder)
  const target = join(stage, folder)
  const manifest = readManifest(join(source, 'package.json'))
  mkdirSync(target, { recursive: true })
  const { metafile } = await build({
    entryPoints: entriesOf(manifest).map((entry) => join(source, entry)),
    outdir: join(target, 'dist'),
    outbase: join(source, 'src'),
    bundle: true,
    splitting: true,
    ...(kind === 'library'
      ? { packages: 'external' }
      : { external: Object.keys(manifest.peerDependencies ?? {}) }),
    format: 'esm',
    platform,
    target: 'es2022',
    logLevel: 'warning',
    metafile: true,
    absWorkingDir: ROOT,
  })
  if (kind === 'library') await writeTypes(source, stage, join(target, 'dist'))
  else writeFileSync(join(target, 'dist', 'THIRD-PARTY.txt'), licencesOf(Object.keys(metafile.inputs)))
  const { repository } = readWorkspace()
  const published = publishedManifest(manifest, { folder, kind, repository })
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await copy(join(source, 'README.md'), join(target, 'README.md'))
  await copy(join(ROOT, 'LICENSE'), join(target, 'LICENSE'))
  return target
}

/** Compiles declarations against those of the packages built before, not against the workspace's sources. */
async function writeTypes(source: string, stage: string, outDir: string): Promise<void> {
  const built = { '@stakewright/contract': ['index'], '@stakewright/contract/*': ['*'] }
  const paths = Object.entries(built).map(([name, files]) => [
    name,
    files.map((file) => join(stage, 'contract', 'dist', `${file}.d.ts`)),
  ])
  const config = join(stage, 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: null,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(source, 'src'),
    outDir,
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    paths: Object.fromEntries(paths),
  }
  const include = [join(source, 'src')]
  const exclude = [join(source, 'src', '**', '*.test.ts')]
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include, exclude }),
  )
  await run(process.execPath, [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', config])
  for (const file of globSync('**/*.d.ts', { cwd: outDir })) nameBuiltFiles(join(outDir, file))
}

/** Rewrites `./routes.ts`, which the compiler leaves in declarations, to `./routes.js`. */
function nameBuiltFiles(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from |import\()(["'])(\.{1,2}\/[^"']+)\.ts\2/g, '$1$2$3.js$2'))
}

/** `repository` is set for publishing, see docs/releasing.md. */
const readWorkspace = () =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly repository?: string }

/** Holds for the package.json files of this workspace, which the tests of the packages check. */
const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'))

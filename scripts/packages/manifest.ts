import { OLDEST_NODE, type PublishedPackage } from './package-list.ts'

/** The fields of a workspace package.json that are used here. */
export type Manifest = {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly exports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>
}

export type Publishing = Pick<PublishedPackage, 'folder' | 'kind'> & {
  /** The address of the source, without `.git`: `repository` of the workspace's package.json, once it is set. */
  readonly repository: string | undefined
}

/** The entry of the command line. In the workspace, `bin` is a wrapper that runs it on the workspace's own Node. */
export const CLI_ENTRY = './src/main.ts'

/** The source files that users of the package can reach. */
export const entriesOf = ({ exports, bin }: Manifest): readonly string[] =>
  bin ? [CLI_ENTRY] : Object.values(exports ?? {})

/** The package.json of the published package: it names built files and omits everything specific to the workspace. */
export function publishedManifest(manifest: Manifest, { folder, kind, repository }: Publishing) {
  const { name, version, description, license, exports, bin } = manifest
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest
  const built = Object.entries(exports ?? {}).map(([path, source]) => [path, builtExport(source)])
  return {
    name,
    version,
    description,
    keywords: ['staking', 'sui', 'ika', 'walrus', 'agents'],
    license,
    ...(repository !== undefined && {
      repository: { type: 'git', url: `git+${repository}.git`, directory: folder },
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
    }),
    type: 'module',
    engines: { node: OLDEST_NODE },
    sideEffects: bin !== undefined,
    files: ['dist'],
    ...(exports && { exports: { ...Object.fromEntries(built), './package.json': './package.json' } }),
    ...(bin && { bin: Object.fromEntries(Object.keys(bin).map((command) => [command, toBuilt(CLI_ENTRY)])) }),
    ...(kind === 'library' && { dependencies, peerDependencies, peerDependenciesMeta }),
  }
}

const toBuilt = (source: string, extension = 'js'): string =>
  source.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, `.${extension}`)

const builtExport = (source: string) => ({ types: toBuilt(source, 'd.ts'), default: toBuilt(source) })

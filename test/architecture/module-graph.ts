import { posix } from 'node:path'
import type { Import, SourceFile } from './read-source.ts'

/** The fields of a package.json that resolve specifiers. */
export type Package = {
  readonly folder: string
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, string>>
}

export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'library'; readonly name: string }

/** Resolves a specifier to a file of the workspace, or to a library (`node:…` included) without its subpath. */
export function resolve(from: string, specifier: string, packages: readonly Package[]): Target {
  if (specifier.startsWith('.')) return { kind: 'file', path: posix.join(posix.dirname(from), specifier) }
  const own = packages.find(({ folder }) => from.startsWith(`${folder}/`))
  if (specifier.startsWith('#') && own) return mapped(own, specifier, own.imports ?? {})
  const ours = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (ours) return mapped(ours, `.${specifier.slice(ours.name.length)}`, ours.exports ?? {})
  return { kind: 'library', name: libraryName(specifier) }
}

function mapped({ folder }: Package, specifier: string, map: Readonly<Record<string, string>>): Target {
  for (const [pattern, path] of Object.entries(map)) {
    const [start = '', end] = pattern.split('*')
    const exact = end === undefined && specifier === pattern
    const wild = end !== undefined && specifier.startsWith(start) && specifier.endsWith(end)
    const rest = wild ? specifier.slice(start.length, specifier.length - end.length) : ''
    if (exact || wild) return { kind: 'file', path: posix.join(folder, path.replace('*', rest)) }
  }
  return { kind: 'file', path: posix.join(folder, specifier) }
}

function libraryName(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

export type Edge = { readonly file: SourceFile; readonly found: Import; readonly target: Target }

export function edgesOf(files: readonly SourceFile[], packages: readonly Package[]): readonly Edge[] {
  return files.flatMap((file) =>
    file.imports.flatMap((found) =>
      found.specifier === undefined
        ? []
        : [{ file, found, target: resolve(file.path, found.specifier, packages) }],
    ),
  )
}

/** Import cycles as lists of files. The same files in another order count as the same cycle. */
export function findCycles(edges: readonly Edge[]): readonly (readonly string[])[] {
  const next = Map.groupBy(
    edges.filter(({ target }) => target.kind === 'file'),
    ({ file }) => file.path,
  )
  const done = new Set<string>()
  const cycles = new Map<string, readonly string[]>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const cycle = trail.slice(start)
      cycles.set(cycle.toSorted().join(), [...cycle, path])
    }
    if (start >= 0 || done.has(path)) return
    for (const { target } of next.get(path) ?? []) {
      if (target.kind === 'file') visit(target.path, [...trail, path])
    }
    done.add(path)
  }
  for (const path of next.keys()) visit(path, [])
  return [...cycles.values()]
}

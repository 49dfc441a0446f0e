import type { Edge } from './module-graph.ts'
import { lineAt, type SourceFile } from './read-source.ts'
import { layerOf } from './rules.ts'

/** Sources of the programs, whose files nothing outside the workspace imports. */
const PROGRAMS = /^(?:server|web|cli)\/src\/(?!.*\.test\.ts$)/
const EXPORT = /^export (?:async )?(?:const|let|function|class|type) (?<name>\w+)/gm

/** Exports that no other file imports, or that only tests and tools use. */
export function findUnusedExports(files: readonly SourceFile[], edges: readonly Edge[]): readonly string[] {
  const importers = Map.groupBy(edges, ({ target }) => (target.kind === 'file' ? target.path : ''))
  return files
    .filter(({ path }) => PROGRAMS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORT)].flatMap(({ index, groups: { name = '' } = {} }) => {
        const word = new RegExp(`\\b${name}\\b`, 'g')
        const users = (importers.get(path) ?? []).filter(({ file }) => file.code.search(word) >= 0)
        const place = `${path}:${lineAt(code, index)} exports ${name}`
        if (users.length === 0) return [`${place}, which no file imports. Do not export it.`]
        const isUsedInside = (code.match(word) ?? []).length > 1
        if (isUsedInside || users.some(({ file }) => layerOf(file.path) !== undefined)) return []
        return [`${place}, which only tests and tools use. Move it to them.`]
      }),
    )
}

import type { Edge } from './module-graph.ts'
import { lineAt, type SourceFile } from './read-source.ts'

/** Programs, whose files nobody outside the workspace imports. */
const PROGRAMS = /^(?:server|web|cli)\/src\/(?!.*\.test\.ts$)/
const EXPORT = /^export (?:async )?(?:const|let|function|class|type) (?<name>\w+)/gm

/** Names that a file exports and no other file imports. */
export function findUnusedExports(files: readonly SourceFile[], edges: readonly Edge[]): readonly string[] {
  const importers = Map.groupBy(edges, ({ target }) => (target.kind === 'file' ? target.path : ''))
  return files
    .filter(({ path }) => PROGRAMS.test(path))
    .flatMap(({ path, code }) =>
      [...code.matchAll(EXPORT)].flatMap(({ index, groups: { name = '' } = {} }) => {
        const word = new RegExp(`\\b${name}\\b`)
        const isUsed = (importers.get(path) ?? []).some(({ file }) => word.test(file.code))
        if (isUsed) return []
        return [`${path}:${lineAt(code, index)} exports ${name}, which no file imports. Do not export it.`]
      }),
    )
}

import { blankLiterals } from './blank-literals.ts'

/** The parts of a source file that the checks use, extracted without compiling it. */
export type SourceFile = {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string
  /** The text with comments and the contents of literals blanked; positions are those of the original. */
  readonly code: string
  readonly imports: readonly Import[]
}

export type Import = {
  /** Undefined if it is computed at run time. */
  readonly specifier: string | undefined
  readonly line: number
  /** Erased by type stripping. */
  readonly typeOnly: boolean
}

const STATEMENTS = [
  /(?:^|[\n;])\s*(?:import|export)\s+(?<type>type\s+(?!from\b))?(?<names>[\w$*{},\s]*?)\s*\bfrom\s*(?<quote>['"])/g,
  /(?:^|[\n;])\s*import\s*(?<quote>['"])/g,
  /(?<![.\w])(?:import|require)\s*\(\s*(?<quote>['"])?/g,
]

export function readSource(path: string, text: string): SourceFile {
  const code = blankLiterals(text)
  return { path, code, imports: STATEMENTS.flatMap((statement) => findImports(statement, code, text)) }
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

function findImports(statement: RegExp, code: string, text: string): readonly Import[] {
  return [...code.matchAll(statement)].map((match) => {
    const end = match.index + match[0].length
    const quote = match.groups?.['quote']
    return {
      specifier: quote === undefined ? undefined : text.slice(end, text.indexOf(quote, end)),
      line: lineAt(text, end - 1),
      typeOnly: match.groups?.['type'] !== undefined || onlyTypes(match.groups?.['names'] ?? ''),
    }
  })
}

/** Whether every name of the list is a type, as in `{ type A, type B }`. */
function onlyTypes(names: string): boolean {
  const list = /^\{(?<list>[^}]*)\}$/.exec(names.trim())?.groups?.['list'] ?? ''
  const listed = list.split(',').map((name) => name.trim())
  const named = listed.filter((name) => name !== '')
  return named.length > 0 && named.every((name) => name.startsWith('type '))
}

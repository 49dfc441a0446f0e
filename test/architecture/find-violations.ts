import { type Edge, edgesOf, findCycles, type Package } from './module-graph.ts'
import { lineAt, type SourceFile } from './read-source.ts'
import {
  EMPTY_NAMES,
  ENVIRONMENT_READERS,
  IMPURE,
  isAdapter,
  LIBRARIES,
  layerOf,
  PROCESS_OWNERS,
  ruleOf,
} from './rules.ts'

/** All violations of the architecture rules, one sentence each: file, line, problem, fix. */
export function findViolations(
  files: readonly SourceFile[],
  packages: readonly Package[],
): readonly string[] {
  const edges = edgesOf(files, packages)
  return [
    ...edges.flatMap(checkLayer),
    ...edges.flatMap(checkLibrary),
    ...findZodInClient(edges),
    ...findCycles(edges).map(
      (cycle) => `${cycle.join(' → ')} is a cycle: move what they share into a file of its own.`,
    ),
    ...files.flatMap((file) => [
      ...checkName(file),
      ...checkComputedImports(file),
      ...checkProcess(file),
      ...checkTransport(file),
      ...checkPorts(file),
      ...checkPurity(file),
    ]),
  ]
}

function checkLayer({ file, found, target }: Edge): readonly string[] {
  const layer = layerOf(file.path)
  if (layer === undefined || target.kind !== 'file' || target.path.endsWith('.json')) return []
  const other = layerOf(target.path)
  const allowed: readonly string[] = [layer, ...ruleOf(layer).layers]
  if (other !== undefined && allowed.includes(other)) return []
  if (ruleOf(layer).files?.includes(target.path)) return []
  if (other !== undefined && isAdapter(other) && allowed.includes('adapters')) return []
  if (other !== undefined && found.typeOnly && allowed.includes(`types of ${other}`)) return []
  const what = other === undefined ? `${target.path}, which is for tests or tools only` : other
  return [refuse(file, found.line, `${layer} must not import ${what}`, ruleOf(layer).instead)]
}

function checkLibrary({ file, found, target }: Edge): readonly string[] {
  const layer = layerOf(file.path)
  if (layer === undefined || target.kind !== 'library') return []
  const owners = LIBRARIES.find(([pattern]) => pattern.test(target.name))?.[1]
  if (owners?.includes(layer)) return []
  if (owners) {
    return [
      refuse(
        file,
        found.line,
        `${target.name} belongs to ${owners.join(' and ')} alone`,
        ruleOf(layer).instead,
      ),
    ]
  }
  if (!target.name.startsWith('node:')) {
    const todo =
      'Name the one folder that may use it in test/architecture/rules.ts, and say why in docs/decisions.'
    return [refuse(file, found.line, `${target.name} is a library without an owning folder`, todo)]
  }
  if (ruleOf(layer).node) return []
  return [refuse(file, found.line, `${layer} must not import ${target.name}`, ruleOf(layer).instead)]
}

/** Run-time imports of zod that the client reaches: it may use only the files of the contract without zod. */
function findZodInClient(edges: readonly Edge[]): readonly string[] {
  const running = Map.groupBy(
    edges.filter(({ found }) => !found.typeOnly),
    ({ file }) => file.path,
  )
  const clientFiles = [...running.keys()].filter((path) => layerOf(path) === 'client')
  const reached = new Set(clientFiles)
  const violations: string[] = []
  for (const path of reached) {
    for (const { file, found, target } of running.get(path) ?? []) {
      if (target.kind === 'file') reached.add(target.path)
      if (target.kind === 'library' && target.name === 'zod' && layerOf(path) === 'contract') {
        violations.push(
          refuse(
            file,
            found.line,
            'the client brings zod along through this import',
            'Let it import types only.',
          ),
        )
      }
    }
  }
  return violations
}

function checkName({ path }: SourceFile): readonly string[] {
  const words = path.replace(/(?:\.test)?\.[a-z]+$/, '').split(/[/.-]/)
  const empty = words.find((word) => EMPTY_NAMES.includes(word))
  return empty === undefined ? [] : [`${path}: "${empty}" says nothing. Name it after what is inside.`]
}

function checkComputedImports(file: SourceFile): readonly string[] {
  if (layerOf(file.path) === undefined) return []
  return file.imports
    .filter(({ specifier }) => specifier === undefined)
    .map(({ line }) =>
      refuse(file, line, 'what is imported is computed', 'Write the path out, so that it can be checked.'),
    )
}

/** Words of HTTP in code. Texts for callers may have them: they say how a call is sent. */
const OF_HTTP =
  /\b(?:headers?|\w*[eE][tT]ags?|(?:if|accept)[A-Z]\w*|accept|authorization|cookies?|userAgent|304|406|412)\b/g

/** Endpoints know no transport: what HTTP says in headers and statuses is read and written in http/. */
function checkTransport(file: SourceFile): readonly string[] {
  if (layerOf(file.path) !== 'api') return []
  return [...file.code.matchAll(OF_HTTP)].map(({ 0: word, index }) =>
    refuse(file, lineAt(file.code, index), `${word} is a word of HTTP`, 'Read or write it in http/.'),
  )
}

function checkProcess(file: SourceFile): readonly string[] {
  if (layerOf(file.path) === undefined) return []
  const uses = [
    ...file.code.matchAll(/(?:(?<![.\w$])|\bglobalThis\.)process\b(?!\s*[:?(])(?<env>\s*\.\s*env\b)?/g),
  ]
  const imported = file.imports.filter(({ specifier }) => specifier === 'node:process')
  return [
    ...uses.flatMap((use) =>
      refuseProcess(file, lineAt(file.code, use.index), use.groups?.['env'] !== undefined),
    ),
    ...imported.flatMap(({ line }) => refuseProcess(file, line, false)),
  ]
}

function refuseProcess(file: SourceFile, line: number, environment: boolean): readonly string[] {
  if (environment && ENVIRONMENT_READERS.includes(file.path)) return []
  if (environment)
    return [
      refuse(
        file,
        line,
        `only ${ENVIRONMENT_READERS.join(' and ')} read the environment`,
        'Take the value as an input.',
      ),
    ]
  if (PROCESS_OWNERS.includes(file.path)) return []
  return [
    refuse(
      file,
      line,
      `only ${PROCESS_OWNERS.join(' and ')} touch process`,
      'Take what it gives as an input.',
    ),
  ]
}

function checkPorts(file: SourceFile): readonly string[] {
  if (layerOf(file.path) !== 'ports') return []
  const todo = 'Keep types here, and move the code to who uses it.'
  const exported = [...file.code.matchAll(/\bexport\s+(?!type\b|interface\b)/g)]
  const imported = file.imports.filter(({ typeOnly }) => !typeOnly)
  return [
    ...exported.map((found) => refuse(file, lineAt(file.code, found.index), 'ports holds types only', todo)),
    ...imported.map(({ line }) => refuse(file, line, 'ports imports types only', 'Write import type.')),
  ]
}

function checkPurity(file: SourceFile): readonly string[] {
  if (layerOf(file.path) !== 'domain') return []
  return IMPURE.flatMap(([pattern, name]) =>
    [...file.code.matchAll(pattern)].map((found) =>
      refuse(
        file,
        lineAt(file.code, found.index),
        `domain must not use ${name}`,
        'Take time, chance and the world as inputs.',
      ),
    ),
  )
}

function refuse({ path }: SourceFile, line: number, rule: string, instead: string): string {
  return `${path}:${line}: ${rule}. ${instead}`
}

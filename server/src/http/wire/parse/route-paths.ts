export type Params = Readonly<Record<string, string>>

/** A template such as `/validators/{id}`, with its targets by method. */
export type RoutePath<Target> = Pattern & {
  readonly template: string
  readonly methods: Map<string, Target>
}

type Pattern = {
  readonly parts: readonly string[]
  /** For each part the name of its parameter; undefined for a literal part. */
  readonly parameters: readonly (string | undefined)[]
}

type Found<Target> =
  | { readonly kind: 'found'; readonly target: Target; readonly params: Params }
  /** `here` are the paths that match, but serve other methods. */
  | { readonly kind: 'missing'; readonly here: readonly RoutePath<Target>[] }
  | { readonly kind: 'unreadable' }

type RoutePaths<Target> = {
  add(method: string, template: string, target: Target): void
  find(method: string, url: string): Found<Target>
}

const NO_PARAMS: Params = Object.freeze({})

/**
 * Finds the target of a method and URL. A path without parameters is looked up directly; otherwise the templates with
 * the same number of parts are compared, those without parameters first. Case, slashes and dots count, and no parameter
 * is empty.
 */
export function listRoutePaths<Target>(): RoutePaths<Target> {
  const byTemplate = new Map<string, RoutePath<Target>>()
  const byLength = new Map<number, readonly RoutePath<Target>[]>()
  return {
    add(method, template, target) {
      const known = byTemplate.get(template)
      const path = known ?? { template, ...patternOf(template), methods: new Map() }
      path.methods.set(method, target)
      if (known) return
      byTemplate.set(template, path)
      const others = byLength.get(path.parts.length) ?? []
      byLength.set(path.parts.length, path.parameters.some(Boolean) ? [...others, path] : [path, ...others])
    },
    find(method, url) {
      const query = url.indexOf('?')
      const path = query === -1 ? url : url.slice(0, query)
      const plain = byTemplate.get(path)?.methods.get(method)
      if (plain !== undefined && !path.includes('{'))
        return { kind: 'found', target: plain, params: NO_PARAMS }
      const given = decodeParts(path)
      if (given === undefined) return { kind: 'unreadable' }
      return findMatching(byLength.get(given.length) ?? [], method, given)
    },
  }
}

function findMatching<Target>(
  paths: readonly RoutePath<Target>[],
  method: string,
  given: readonly string[],
): Found<Target> {
  for (const path of paths) {
    const target = matches(path, given) ? path.methods.get(method) : undefined
    if (target !== undefined) return { kind: 'found', target, params: paramsOf(path, given) }
  }
  return { kind: 'missing', here: paths.filter((path) => matches(path, given)) }
}

/** Decodes each part separately, so that an encoded slash does not split it. */
function decodeParts(path: string): readonly string[] | undefined {
  const parts = path.split('/')
  if (!path.includes('%')) return parts
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function patternOf(template: string): Pattern {
  const parts = template.split('/')
  return { parts, parameters: parts.map((part) => (part.startsWith('{') ? part.slice(1, -1) : undefined)) }
}

function matches({ parts, parameters }: Pattern, given: readonly string[]): boolean {
  for (let at = 0; at < parts.length; at++) {
    if (parameters[at] === undefined ? parts[at] !== given[at] : given[at] === '') return false
  }
  return true
}

function paramsOf({ parameters }: Pattern, given: readonly string[]): Params {
  const params: Record<string, string> = {}
  for (let at = 0; at < parameters.length; at++) {
    const name = parameters[at]
    if (name !== undefined) params[name] = given[at] ?? ''
  }
  return params
}

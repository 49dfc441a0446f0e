export type Params = Readonly<Record<string, string>>

/** A template such as `/validators/{id}`, with what is served there by method. */
export type RoutePath<Target> = {
  readonly template: string
  readonly parts: readonly string[]
  readonly methods: Map<string, Target>
}

export type Found<Target> =
  | { readonly kind: 'found'; readonly target: Target; readonly params: Params }
  /** `here` are the paths that fit, but serve other methods. */
  | { readonly kind: 'missing'; readonly here: readonly RoutePath<Target>[] }
  | { readonly kind: 'unreadable' }

export type RoutePaths<Target> = {
  add(method: string, template: string, target: Target): void
  find(method: string, url: string): Found<Target>
}

const NO_PARAMS: Params = Object.freeze({})

/**
 * Which target serves a method and URL. A path without parameters is looked up as it stands; otherwise the few templates
 * are compared part by part, those without parameters first. Case, slashes and dots count, and no parameter is empty.
 */
export function listRoutePaths<Target>(): RoutePaths<Target> {
  const plain = new Map<string, RoutePath<Target>>()
  const patterns = new Map<string, RoutePath<Target>>()
  return {
    add(method, template, target) {
      const paths = template.includes('{') ? patterns : plain
      const path = paths.get(template) ?? { template, parts: template.split('/'), methods: new Map() }
      path.methods.set(method, target)
      paths.set(template, path)
    },
    find(method, url) {
      const query = url.indexOf('?')
      const path = query === -1 ? url : url.slice(0, query)
      const target = plain.get(path)?.methods.get(method)
      if (target !== undefined) return { kind: 'found', target, params: NO_PARAMS }
      const given = decodeParts(path)
      if (given === undefined) return { kind: 'unreadable' }
      return findFitting([...plain.values(), ...patterns.values()], method, given)
    },
  }
}

function findFitting<Target>(
  paths: readonly RoutePath<Target>[],
  method: string,
  given: readonly string[],
): Found<Target> {
  const here = paths.filter(({ parts }) => fits(parts, given))
  for (const { parts, methods } of here) {
    const target = methods.get(method)
    if (target !== undefined) return { kind: 'found', target, params: paramsOf(parts, given) }
  }
  return { kind: 'missing', here }
}

/** Each part is decoded for itself, so that an encoded slash does not make two parts of one. */
function decodeParts(path: string): readonly string[] | undefined {
  const parts = path.split('/')
  if (!path.includes('%')) return parts
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const isParameter = (part: string) => part.startsWith('{')

function fits(parts: readonly string[], given: readonly string[]): boolean {
  if (parts.length !== given.length) return false
  return parts.every((part, at) => (isParameter(part) ? given[at] !== '' : part === given[at]))
}

function paramsOf(parts: readonly string[], given: readonly string[]): Params {
  const params: Record<string, string> = Object.create(null)
  parts.forEach((part, at) => {
    if (isParameter(part)) params[part.slice(1, -1)] = given[at] ?? ''
  })
  return params
}

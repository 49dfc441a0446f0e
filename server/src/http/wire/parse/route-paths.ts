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
 * Which target serves a method and URL. A path without parameters is looked up as it stands; otherwise the templates with
 * as many parts are compared, those without parameters first. Case, slashes and dots count, and no parameter is empty.
 */
export function listRoutePaths<Target>(): RoutePaths<Target> {
  const byTemplate = new Map<string, RoutePath<Target>>()
  const byLength = new Map<number, readonly RoutePath<Target>[]>()
  return {
    add(method, template, target) {
      const known = byTemplate.get(template)
      const path = known ?? { template, parts: template.split('/'), methods: new Map() }
      path.methods.set(method, target)
      if (known) return
      byTemplate.set(template, path)
      const others = byLength.get(path.parts.length) ?? []
      byLength.set(path.parts.length, hasParameters(path) ? [...others, path] : [path, ...others])
    },
    find(method, url) {
      const query = url.indexOf('?')
      const path = query === -1 ? url : url.slice(0, query)
      const plain = byTemplate.get(path)?.methods.get(method)
      if (plain !== undefined && !path.includes('{'))
        return { kind: 'found', target: plain, params: NO_PARAMS }
      const given = decodeParts(path)
      if (given === undefined) return { kind: 'unreadable' }
      return findFitting(byLength.get(given.length) ?? [], method, given)
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

const hasParameters = ({ parts }: { readonly parts: readonly string[] }) => parts.some(isParameter)

function fits(parts: readonly string[], given: readonly string[]): boolean {
  return parts.every((part, at) => (isParameter(part) ? given[at] !== '' : part === given[at]))
}

function paramsOf(parts: readonly string[], given: readonly string[]): Params {
  const params: Record<string, string> = Object.create(null)
  parts.forEach((part, at) => {
    if (isParameter(part)) params[part.slice(1, -1)] = given[at] ?? ''
  })
  return params
}

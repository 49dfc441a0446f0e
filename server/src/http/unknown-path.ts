import { ENDPOINTS, type EndpointName, editDistance, ROUTES } from '@stakewright/contract'
import { call, Fault, refusal } from '../fault.ts'

type Served = { readonly method: string; readonly path: string }

/** Longer than any route; longer paths are not compared, which bounds the work. */
const LONGEST_PATH = 128
const MAX_TYPOS = 2
/** A last path segment shorter than this is too common to suggest a route by. */
const SHORTEST_LAST_SEGMENT = 4

/** 404 for an unknown path. Suggests the served path that is nearest, if one is near enough. */
export function unknownPath(method: string, path: string, served: readonly Served[]): Fault {
  if (isSandboxOnly(path, served)) return notInSandbox()
  const near =
    path.length <= LONGEST_PATH
      ? (conventionalRoute(path, served) ??
        otherVersion(method, path, served) ??
        nearestRoute(method, path, served))
      : undefined
  if (near === undefined && served.some((route) => route.path.startsWith(`${trimmed(path)}/`))) {
    const fix = 'GET / says where to begin, and /llms.txt lists what there is.'
    return refusal('not_found', 'Nothing is served at this path itself.', fix, { next: ROOT })
  }
  if (near === undefined) {
    const fix = 'GET /llms.txt lists what there is, and /openapi.json describes it: case and slashes count.'
    return refusal('not_found', 'Nothing is served at this path.', fix, { next: INDEX })
  }
  const fix = `Use ${near.method} ${near.path}.`
  return new Fault('not_found', `Nothing is served at this path. Did you mean ${near.path}?`, {
    fix,
    next: { method: near.method, path: near.path },
  })
}

const isSandboxOnly = (path: string, served: readonly Served[]): boolean =>
  !served.some((route) => route.path === trimmed(path)) &&
  ENDPOINT_NAMES.some((name) => ENDPOINTS[name].tag === 'Sandbox' && ROUTES[name].path === trimmed(path))

const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[]

/** For sandbox endpoints on another network: points to the way of getting a key there. */
function notInSandbox(): Fault {
  const fix = `This service is on another network: ${call('selfRegister')} gives a key here, and a wallet signs and sends what is built.`
  return refusal('not_found', 'This is served in the sandbox only.', fix, {
    next: { endpoint: 'selfRegister' },
  })
}

/** The route in the only version, for paths with another version number. */
function otherVersion(method: string, path: string, served: readonly Served[]): Served | undefined {
  const meant = trimmed(path).replace(/^\/api\/v\d+(?:\.\d+)?\//i, '/api/v1/')
  const here = served.filter((route) => route.path === meant)
  return here.find((route) => route.method === method) ?? here[0]
}

/** Conventional paths of API descriptions, with the path here. */
const CONVENTIONAL = [
  [/(?:^|\/)(?:openapi|swagger|api-docs)(?:\.json|\.ya?ml)?$/i, '/openapi.json'],
  [
    /^\/(?:\.well-known\/)?(?:mcp\.json|server\.json|mcp\/server-card|mcp\/server\.json)$/i,
    '/.well-known/mcp/server-card.json',
  ],
] as const

function conventionalRoute(path: string, served: readonly Served[]): Served | undefined {
  const [, here] = CONVENTIONAL.find(([form]) => form.test(trimmed(path))) ?? []
  return served.find((route) => route.method === 'GET' && route.path === here)
}

const trimmed = (path: string): string => path.replace(/\/+$/, '')

const ROOT = { method: 'GET', path: '/' } as const
/** The index for language models; the whole reference is too long for them. */
const INDEX = { method: 'GET', path: '/llms.txt' } as const

function nearestRoute(method: string, path: string, served: readonly Served[]): Served | undefined {
  const given = trimmed(path).split('/')
  const ending = routesWithSameEnd(given, served)
  const near = served
    .map((route) => ({ route, typos: typosIn(given, route.path.split('/')) }))
    .filter(({ typos }) => typos <= MAX_TYPOS)
    .toSorted((a, b) => a.typos - b.typos)
    .map(({ route }) => route)
    // If a route ends in the same word, the last segment is that word rather than an id.
    .filter(({ path: known }) => ending.length === 0 || !known.endsWith('}'))
  const isSameMethod = (route: Served) => route.method === method
  return (
    near.find(isSameMethod) ??
    ending.find(isSameMethod) ??
    near[0] ??
    ending[0] ??
    onlyLongerRoute(path, served)
  )
}

/** `…/agent/rebalance-plan` for `…/agent/rebalance`, and `…/agent/validators/scored` for `…/agent/validators`. */
function onlyLongerRoute(path: string, served: readonly Served[]): Served | undefined {
  const start = trimmed(path)
  const longer = served.filter(
    (route) => route.path.startsWith(start) && /^[/-]/.test(route.path.slice(start.length)),
  )
  const [only, ...others] = longer
  return others.length === 0 && only?.path.includes('{') === false ? only : undefined
}

/** The refusal of a path that matches `{id}` only because it misspells a word of a route of this method. */
export function misspelledPath(method: string, path: string, served: readonly Served[]): Fault | undefined {
  if (path.length > LONGEST_PATH) return undefined
  const same = served.filter((route) => route.method === method)
  const words = same.filter((route) => !route.path.includes('{'))
  if (nearestRoute(method, path, words) !== undefined) return unknownPath(method, path, words)
  const [ending] = routesWithSameEnd(trimmed(path).split('/'), same)
  return ending && unknownPath(method, path, [ending])
}

/** Routes with the same last segment and more before it: `/api/v1/staking/validators` for `/api/v1/validators`. */
function routesWithSameEnd(given: readonly string[], served: readonly Served[]): readonly Served[] {
  const end = given.at(-1) ?? ''
  if (given.length < 3 || end.length < SHORTEST_LAST_SEGMENT) return []
  const partsOf = (route: Served) => route.path.split('/')
  return served
    .filter((route) => partsOf(route).at(-1) === end && partsOf(route).length > given.length)
    .toSorted((a, b) => partsOf(a).length - partsOf(b).length)
}

/** The sum of the typos in all segments. A missing prefix, such as `/api/v1`, counts as one. */
function typosIn(given: readonly string[], parts: readonly string[]): number {
  const missing = parts.length - given.length
  if (missing < 0 || given.length < 2) return Number.POSITIVE_INFINITY
  const compared = missing === 0 ? parts : ['', ...parts.slice(missing + 1)]
  if (compared[1]?.startsWith('{')) return Number.POSITIVE_INFINITY
  const typos = compared.map((part, at) => (part.startsWith('{') ? 0 : typosInPart(given[at] ?? '', part)))
  return typos.reduce((sum, count) => sum + count, missing === 0 ? 0 : 1)
}

function typosInPart(given: string, part: string): number {
  if (given.toLowerCase() === part.toLowerCase()) return 0
  // In a short segment, that many typos would match any word.
  return Math.abs(given.length - part.length) > MAX_TYPOS || part.length < 3
    ? Number.POSITIVE_INFINITY
    : editDistance(given.toLowerCase(), part)
}

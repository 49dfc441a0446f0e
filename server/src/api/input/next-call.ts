import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  endpointAt,
  ROUTES,
} from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import type { NextCall } from '../../fault.ts'
import { requiredIn } from './input-advice.ts'

/** The call of `next`, with the names of the fields that the caller must fill in. */
type ReadyCall = {
  readonly endpoint: EndpointName
  readonly given: Fields
  readonly needs: readonly string[]
  /** Exactly one of these is needed; empty: none. */
  readonly needsOneOf: readonly string[]
}

/** Completes a call. If a path parameter is missing, the call is replaced by the list that has its values, if any. */
export function readyCall(next: NextCall): ReadyCall | undefined {
  const endpoint = next.endpoint ?? endpointAt(next.method, next.path)
  if (endpoint === undefined) return undefined
  const given = (next.endpoint && next.given) ?? {}
  if (paramsOf(endpoint).some((name) => !(name in given))) {
    const list = listBefore(ROUTES[endpoint].path)
    return list && { endpoint: list, given: {}, needs: [], needsOneOf: [] }
  }
  const { oneOf = [] } = rowOf(endpoint)
  return {
    endpoint,
    given,
    needs: neededBy(endpoint).filter((field) => !(field in given || oneOf.includes(field))),
    needsOneOf: oneOf.some((field) => field in given) ? [] : oneOf,
  }
}

/** The same as method, path and body. */
export function toNextCall(next: NextCall): ErrorBody['next'] {
  const ready = readyCall(next)
  if (!ready) return next.endpoint === undefined && !next.path.includes('{') ? next : undefined
  const { endpoint, given, needs, needsOneOf } = ready
  const { method, path: template } = ROUTES[endpoint]
  const inPath = paramsOf(endpoint)
  const path = inPath.reduce((filled, name) => filled.replace(`{${name}}`, String(given[name])), template)
  const rest = pick(
    given,
    Object.keys(given).filter((name) => !inPath.includes(name)),
  )
  return {
    method,
    ...withFields(method, path, rest),
    ...(needs.length > 0 && { needs }),
    ...(needsOneOf.length > 0 && { needsOneOf }),
  }
}

function withFields(method: string, path: string, fields: Fields) {
  if (Object.keys(fields).length === 0) return { path }
  if (method !== 'GET') return { path, body: fields }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return { path: `${path}?${query.join('&')}` }
}

/** `GET /api/v1/agents` for `/api/v1/agents/{id}/keys`. */
const listBefore = (path: string): EndpointName | undefined =>
  endpointAt('GET', path.slice(0, path.indexOf('/{')))

const paramsOf = (endpoint: EndpointName): readonly string[] =>
  Object.keys(rowOf(endpoint).params?.shape ?? {})

const rowOf = (endpoint: EndpointName): EndpointSpec => ENDPOINTS[endpoint]

const needed = new Map<EndpointName, readonly string[]>()

/** A minimal set of fields: those of the example without which the request is refused. */
function neededBy(name: EndpointName): readonly string[] {
  const known = needed.get(name) ?? fewestFields(rowOf(name), exampleOf(name))
  needed.set(name, known)
  return known
}

type Fields = Readonly<Record<string, unknown>>

function exampleOf(name: EndpointName): Fields {
  const examples: { readonly [Name in EndpointName]?: Fields } = EXAMPLES
  return examples[name] ?? {}
}

function fewestFields(row: EndpointSpec, example: Fields): readonly string[] {
  const required = requiredIn(row)
  return Object.keys(example).reduce<readonly string[]>((kept, field) => {
    const fewer = kept.filter((one) => one !== field)
    return !required.includes(field) && isAccepted(row, pick(example, fewer)) ? fewer : kept
  }, Object.keys(example))
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

const isAccepted = ({ params, query, body }: EndpointSpec, fields: Fields): boolean =>
  [params, query, body].every(
    (part) => part === undefined || part.safeParse(pick(fields, Object.keys(part.shape))).success,
  )

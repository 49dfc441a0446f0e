import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  endpointAt,
} from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { requiredIn } from './input-advice.ts'

type NextCall = NonNullable<ErrorBody['next']>

/**
 * The call that leads on, as it can be made: where its path has a parameter, the list that has right values; and with
 * the names of what the caller must fill in.
 */
export function toNextCall({ method, path, body }: NextCall): NextCall | undefined {
  if (path.includes('{')) return listBefore(path)
  const [bare = '', query = ''] = path.split('?')
  const endpoint = endpointAt(method, bare)
  const given = [...Object.keys(body ?? {}), ...new URLSearchParams(query).keys()]
  const needs = endpoint ? neededBy(endpoint).filter((field) => !given.includes(field)) : []
  return { method, path, ...(body && { body }), ...(needs.length > 0 && { needs }) }
}

/** `GET /api/v1/agents` for `/api/v1/agents/{id}/keys`. */
function listBefore(path: string): NextCall | undefined {
  const list = path.slice(0, path.indexOf('/{'))
  return endpointAt('GET', list) && { method: 'GET', path: list }
}

const needed = new Map<EndpointName, readonly string[]>()

/** The fewest fields that make a request: of its example, those without which it is refused. */
function neededBy(name: EndpointName): readonly string[] {
  const known = needed.get(name) ?? fewestFields(ENDPOINTS[name], exampleOf(name))
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

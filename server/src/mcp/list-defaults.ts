import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ListSpec,
  type SortedListSpec,
} from '@stakewright/contract'
import type { JsonSchema } from '@stakewright/contract/json-schema'
import { toObject } from './fields.ts'

type Arguments = Readonly<Record<string, unknown>>

/** Defaults of a tool's list: best first, and compact items with `detail` compact. */
export function listDefaults(
  endpoint: EndpointName,
  given: Arguments,
  detail: 'compact' | 'full',
): Arguments {
  const { query, list }: EndpointSpec = ENDPOINTS[endpoint]
  if (!list || !query) return {}
  const isChosen = 'view' in given || 'fields' in given
  return {
    ...(isBestFirst(list) && !('sort' in given) && { sort: BEST }),
    ...(detail === 'compact' && !isChosen && 'limit' in query.shape && { view: 'compact' }),
  }
}

/** The properties of such a list's input, with these defaults in place of the endpoint's. */
export function withListDefaults(endpoint: EndpointName, properties: JsonSchema): JsonSchema {
  const { query, list }: EndpointSpec = ENDPOINTS[endpoint]
  if (!list || !query) return properties
  const say = (name: string, change: (words: string) => string) => {
    const schema = toObject(properties[name])
    return name in properties && { [name]: { ...schema, description: change(String(schema['description'])) } }
  }
  return {
    ...properties,
    ...(isBestFirst(list) && say('sort', (words) => words.replace(`\`${list.sortedBy}\``, `\`${BEST}\``))),
    ...('limit' in query.shape && say('view', (words) => `${words} Without it: \`detail\`.`)),
  }
}

const BEST = 'score'

const isBestFirst = (list: ListSpec | SortedListSpec): list is SortedListSpec =>
  'sort' in list && Object.hasOwn(list.sort, BEST)

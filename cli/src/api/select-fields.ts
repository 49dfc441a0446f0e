import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { type JsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'
import { Misuse } from '../command.ts'
import { meant } from '../meant.ts'
import { isObject } from '../render/generic-view.ts'
import { propertiesOf } from './input-flags.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields to keep: of the answer itself, and of what its lists and objects hold. */
export type Selection = {
  readonly own: readonly string[]
  readonly inner: Readonly<Record<string, readonly string[]>>
}

/**
 * Reads `--fields` by what the endpoint answers, so that a wrong name is refused before anything is sent: after a call
 * that made a key, it would be too late. A name that the answer has not itself is one of the items of its lists, or
 * else of its objects.
 */
export function readFields(endpoint: EndpointName, text: string): Selection {
  const answer = fieldsOf(replyJsonSchema(ENDPOINTS[endpoint]))
  const lists = innerFields(answer, (schema) => schema['items'])
  const objects = innerFields(answer, (schema) => schema)
  const own: string[] = []
  const inner: Record<string, string[]> = {}
  for (const name of text.split(',').map((each) => each.trim())) {
    if (name in answer) {
      own.push(name)
      continue
    }
    const inLists = holders(lists, name)
    const found = inLists.length > 0 ? inLists : holders(objects, name)
    if (found.length === 0)
      throw unknownField(name, [answer, ...Object.values(lists), ...Object.values(objects)])
    for (const holder of found) inner[holder] = [...(inner[holder] ?? []), name]
  }
  return { own, inner }
}

export function selectFields(data: unknown, { own, inner }: Selection): unknown {
  if (!isObject(data)) return data
  const kept = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (own.includes(name)) return [[name, value]]
    const names = inner[name]
    if (names === undefined) return []
    return [[name, Array.isArray(value) ? value.map((item) => pick(item, names)) : pick(value, names)]]
  })
  return Object.fromEntries(kept)
}

function pick(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]))
}

function unknownField(name: string, answers: readonly Fields[]): Misuse {
  const known = [...new Set(answers.flatMap(Object.keys))]
  return new Misuse(`The answer has no field "${name}".${meant(name, known)} It has: ${known.join(', ')}.`)
}

const holders = (inner: Readonly<Record<string, Fields>>, name: string): readonly string[] =>
  Object.keys(inner).filter((holder) => name in (inner[holder] ?? {}))

/** By field of the answer, what is inside of it. */
function innerFields(answer: Readonly<Record<string, JsonSchema>>, inside: (schema: JsonSchema) => unknown) {
  const entries = Object.entries(answer).map(([name, schema]) => {
    const fields = choicesOf(schema).map((choice) => fieldsOf(inside(choice)))
    return [name, Object.assign({}, ...fields) as Readonly<Record<string, JsonSchema>>] as const
  })
  return Object.fromEntries(entries)
}

/** Of an object all fields; of a choice between objects those of each. */
function fieldsOf(schema: unknown): Readonly<Record<string, JsonSchema>> {
  return isObject(schema) ? Object.assign({}, ...choicesOf(schema).map(propertiesOf)) : {}
}

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const choices = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(choices) ? choices.filter(isObject).flatMap(choicesOf) : [schema]
}

import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'
import { type JsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'
import { Misuse } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { isObject } from '../render/generic-view.ts'
import { propertiesOf } from './input-flags.ts'

/** The fields to keep, each as a path from the top of the answer. */
type Selection = readonly Path[]

type Path = readonly string[]
type Schemas = Readonly<Record<string, JsonSchema>>

/**
 * Parses `--fields` against the endpoint's reply schema, so that an unknown name is refused before the call:
 * afterwards a key would already have been made. A plain name is a top-level field, or else that field in every
 * list and object that has it; `claimableNow.rewards` is a path.
 */
export function readFields(endpoint: EndpointName, text: string): Selection {
  const answer = fieldsIn(replyJsonSchema(ENDPOINTS[endpoint]))
  return text.split(',').flatMap((each) => pathsOf(each.trim(), answer))
}

/**
 * Adds the fields beside the list to a selection that names only fields of its items. The API's own `fields` does
 * the same, so that `nextCursor` is kept.
 */
export function withFieldsBesideList(endpoint: EndpointName, selection: Selection): Selection {
  const { list, ...row }: EndpointSpec = ENDPOINTS[endpoint]
  if (list === undefined || !selection.every(([place, name]) => place === list.items && name !== undefined))
    return selection
  const others = Object.keys(fieldsIn(replyJsonSchema(row))).filter((name) => name !== list.items)
  return [...selection, ...others.map((name) => [name])]
}

function pathsOf(name: string, answer: Schemas): readonly Path[] {
  if (name.includes('.')) return [checkedPath(name.split('.'), answer)]
  if (name in answer) return [[name]]
  const places = Object.entries(answer).filter(([, schema]) => name in fieldsIn(schema))
  if (places.length === 0) throw unknownField(name, [answer, ...Object.values(answer).map(fieldsIn)])
  return places.map(([place]) => [place, name])
}

function checkedPath(path: Path, answer: Schemas): Path {
  path.reduce<Schemas>((fields, name) => {
    const schema = fields[name]
    if (schema === undefined) throw unknownField(name, [fields])
    return fieldsIn(schema)
  }, answer)
  return path
}

/** Keeps the order of the answer. */
export function selectFields(data: unknown, selection: Selection): unknown {
  if (Array.isArray(data)) return data.map((item) => selectFields(item, selection))
  if (!isObject(data)) return data
  const kept = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    const inner = selection.flatMap(([first, ...rest]) => (first === name ? [rest] : []))
    if (inner.length === 0) return []
    return [[name, inner.some(({ length }) => length === 0) ? value : selectFields(value, inner)]]
  })
  return Object.fromEntries(kept)
}

function unknownField(name: string, answers: readonly Schemas[]): Misuse {
  const known = [...new Set(answers.flatMap(Object.keys))]
  const all = known.length > 0 ? ` It has: ${known.join(', ')}.` : ''
  return new Misuse(`The answer has no field "${name}".${didYouMean(name, known)}${all}`)
}

/** The properties of an object or of a list's items; of alternatives, the properties of all. */
export function fieldsIn(schema: unknown): Schemas {
  if (!isObject(schema)) return {}
  const forms = choicesOf(schema).map((choice) =>
    isObject(choice['items']) ? fieldsIn(choice['items']) : propertiesOf(choice),
  )
  return Object.assign({}, ...forms)
}

const choicesOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const choices = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(choices) ? choices.filter(isObject).flatMap(choicesOf) : [schema]
}

import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { inputJsonSchema, type JsonSchema } from '@stakewright/contract/json-schema'
import { Misuse } from '../command.ts'
import { isObject } from '../render/generic-view.ts'
import { DEFAULTS, ENDPOINT_COMMANDS, toKebab } from './endpoint-commands.ts'
import { GLOBAL_FLAGS } from './global-flags.ts'
import { readJson } from './read-json.ts'

/** An input of an endpoint as an option of its command. */
export type InputFlag = {
  readonly flag: string
  readonly field: string
  readonly isRequired: boolean
  /** A key of somebody: never an option, only part of `--input`. */
  readonly isSecret: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json'
  /** Holds unless `--no-…` is typed. */
  readonly isOn: boolean
  readonly help: string
  /** What it may be, where that is one of several words, or a list of them. */
  readonly choices: readonly string[]
}

/** The options that follow from what the endpoint takes. */
export function inputFlags(endpoint: EndpointName): readonly InputFlag[] {
  const known = FLAGS.get(endpoint) ?? flagsOf(endpoint)
  FLAGS.set(endpoint, known)
  return known
}

/** Each is asked for several times, and to read a schema takes longer than all the rest of a start. */
const FLAGS = new Map<EndpointName, readonly InputFlag[]>()

function flagsOf(endpoint: EndpointName): readonly InputFlag[] {
  const schema = inputJsonSchema(ENDPOINTS[endpoint])
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(propertiesOf(schema))
    .filter(([field]) => !(toKebab(field) in GLOBAL_FLAGS))
    .map(([field, property]) => ({
      flag: toKebab(field),
      field,
      isRequired: required.includes(field),
      isSecret: field === 'apiKey',
      kind: kindOf(property),
      isOn: property['default'] === true,
      help: typeof property['description'] === 'string' ? property['description'] : '',
      choices: choicesOf(property),
    }))
}

/** The input of a command that is a secret; undefined: it takes none. */
export const secretInput = (words: string): string | undefined =>
  ENDPOINT_COMMANDS.filter((command) => command.words === words)
    .flatMap(({ endpoint }) => inputFlags(endpoint))
    .find(({ isSecret }) => isSecret)?.field

/** As it is listed: what holds by itself is only ever switched off. */
export const listedFlag = ({ flag, isOn }: InputFlag): string => (isOn ? `no-${flag}` : flag)

/** Whether a command does without this input. */
export const isOptional = (endpoint: EndpointName, flags: readonly InputFlag[], name: string): boolean =>
  !flags.some(({ field, isRequired }) => field === name && isRequired) || name in (DEFAULTS[endpoint] ?? {})

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const { properties } = schema
  if (!isObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, isObject(property) ? property : {}]),
  )
}

function choicesOf({ enum: words, items }: JsonSchema): readonly string[] {
  if (Array.isArray(words)) return words.map(String)
  return isObject(items) ? choicesOf(items) : []
}

function kindOf({ type, items }: JsonSchema): InputFlag['kind'] {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return 'text'
  if (type === 'array' && isObject(items) && items['type'] === 'string') return 'list'
  return 'json'
}

/** The text of an option as the value that the endpoint takes. What the value may be, the service says. */
export function readValue({ flag, kind }: InputFlag, text: string): unknown {
  if (kind === 'number') {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isNaN(value)) throw new Misuse(`--${flag} must be a number, not "${text}".`)
    return value
  }
  if (kind === 'list') return text.split(',').map((item) => item.trim())
  return kind === 'json' ? readJson(text, `--${flag}`) : text
}

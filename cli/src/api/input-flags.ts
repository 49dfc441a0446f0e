import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { boundsInWords, inputJsonSchema, type JsonSchema } from '@stakewright/contract/json-schema'
import { Misuse } from '../command.ts'
import { isObject } from '../render/generic-view.ts'
import { DEFAULTS, ENDPOINT_COMMANDS, toKebab } from './endpoint-commands.ts'
import { GLOBAL_FLAGS } from './global-flags.ts'
import { readNamedText } from './read-input.ts'
import { readJson } from './read-json.ts'

/** An input of an endpoint as an option of its command. */
export type InputFlag = {
  readonly flag: string
  readonly field: string
  readonly isRequired: boolean
  /** Secrets are never an option, only part of `--input`: other users of the machine can see the arguments. */
  readonly isSecret: boolean
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json'
  /** True by default, so its option is `--no-…`. */
  readonly isOn: boolean
  readonly help: string
  /** The allowed values of an enumeration, or of the items of a list. */
  readonly choices: readonly string[]
  /** The bounds of the value in words. */
  readonly bounds: string | undefined
  /** The value that is used if the option is left out. */
  readonly fallback: unknown
  /** The pattern of a text. */
  readonly pattern: string | undefined
}

/** The options derived from the endpoint's input schema. */
export function inputFlags(endpoint: EndpointName): readonly InputFlag[] {
  const known = FLAGS.get(endpoint) ?? flagsOf(endpoint)
  FLAGS.set(endpoint, known)
  return known
}

/** Cached: reading a schema takes longer than the rest of the start-up, and each is needed several times. */
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
      bounds: boundsInWords(property),
      fallback: DEFAULTS[endpoint]?.[field] ?? property['default'],
      pattern: typeof property['pattern'] === 'string' ? property['pattern'] : undefined,
    }))
}

/** The name of the command's secret input, if it has one. */
export const secretInput = (words: string): string | undefined =>
  ENDPOINT_COMMANDS.filter((command) => command.words === words)
    .flatMap(({ endpoint }) => inputFlags(endpoint))
    .find(({ isSecret }) => isSecret)?.field

/** The option as help lists it: `no-…` for inputs that are true by default. */
export const listedFlag = ({ flag, isOn }: InputFlag): string => (isOn ? `no-${flag}` : flag)

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

/** Parses the text of an option by the type of its input. The service checks the value itself. */
export function readValue({ flag, kind }: InputFlag, text: string): unknown {
  if (kind === 'number') {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isNaN(value)) throw new Misuse(`--${flag} must be a number, not "${text}".`)
    return value
  }
  if (kind === 'list') return text.split(',').map((item) => item.trim())
  return kind === 'json' ? readJson(readNamedText(text, `--${flag}`), `--${flag}`) : text
}

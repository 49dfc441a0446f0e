import {
  type EndpointName,
  endpointAt,
  inWords,
  REST_WORDS,
  ROUTES,
  translate,
  type Words,
} from '@stakewright/contract'
import { ENDPOINT_COMMANDS, type EndpointCommand, toKebab } from './endpoint-commands.ts'

/** A call of the API as the service names one in its answers. Refusals by its code, run in this process, have no path. */
export type ApiCall = {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The command line that makes the call, with a placeholder in capitals for each missing input. Undefined: there is
 * no such command.
 */
export function asCommand({ method, path = '', body = {} }: ApiCall): string | undefined {
  const [route = '', query = ''] = path.split('?')
  const found = endpointOf(method, route)
  const command = found && commandOf(found.endpoint)
  if (!command) return undefined
  const { words, positionals } = command
  const input = { ...found.params, ...Object.fromEntries(new URLSearchParams(query)), ...body }
  const inOrder = positionals.map((name) => (name in input ? toWord(input[name]) : toPlaceholder(name)))
  const options = Object.entries(input)
    .filter(([name]) => !positionals.includes(name))
    .map(([name, value]) => `--${toKebab(name)} ${toWord(value)}`)
  return ['stakewright', words, ...inOrder, ...options].join(' ')
}

type Found = { readonly endpoint: EndpointName; readonly params: Readonly<Record<string, unknown>> }

/** The endpoint of a path template, or of a path with the values of its parameters. */
function endpointOf(method: string, path: string): Found | undefined {
  const exact = endpointAt(method, path)
  if (exact !== undefined) return { endpoint: exact, params: {} }
  for (const { endpoint } of ENDPOINT_COMMANDS) {
    const { method: own, path: template } = ROUTES[endpoint]
    const params = own === method ? paramsOf(path, template) : undefined
    if (params !== undefined) return { endpoint, params }
  }
  return undefined
}

/** The values of the template's parameters; undefined: the path is not one of the template. */
function paramsOf(path: string, template: string): Readonly<Record<string, string>> | undefined {
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/{}]+)')
  const { groups } = new RegExp(`^${pattern}$`).exec(path) ?? {}
  if (groups === undefined) return undefined
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
}

const commandOf = (name: EndpointName): EndpointCommand | undefined =>
  ENDPOINT_COMMANDS.find(({ endpoint }) => endpoint === name)

/** `validatorId` becomes `VALIDATOR_ID`. */
export const toPlaceholder = (name: string): string => toKebab(name).replaceAll('-', '_').toUpperCase()

/** Quotes a value that a shell would split or interpret. */
function toWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Calls without a command are named as over HTTP. */
const COMMAND_WORDS: Words = {
  ...REST_WORDS,
  call: (endpoint) => {
    const command = asCommand(ROUTES[endpoint])
    return command === undefined ? REST_WORDS.call(endpoint) : `\`${command}\``
  },
  sendKey: 'Set it as STAKEWRIGHT_API_KEY',
  sendToken: 'Set it as STAKEWRIGHT_TOKEN',
}

/** A text of the API in the words of the command line. */
export const commandWords = (text: string): string => translate(text, REST_WORDS, COMMAND_WORDS)

/** The same for a description, which names endpoints in backquotes. */
export const describedCommand = (text: string): string =>
  inWords(text, { ...COMMAND_WORDS, call: (endpoint) => `stakewright ${commandOf(endpoint)?.words}` })

import { type EndpointName, endpointAt, ROUTES, replaceCalls } from '@stakewright/contract'
import { ENDPOINT_COMMANDS, type EndpointCommand, toKebab } from './endpoint-commands.ts'

/** A call of the API as the service names one in its answers. */
export type ApiCall = {
  readonly method: string
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The command line that makes the call, with a placeholder in capitals for each missing input. Undefined: there is
 * no such command.
 */
export function asCommand({ method, path, body = {} }: ApiCall): string | undefined {
  const endpoint = endpointAt(method, path)
  const command = endpoint && commandOf(endpoint)
  if (!command) return undefined
  const { words, positionals } = command
  const inOrder = positionals.map((name) => (name in body ? toWord(body[name]) : toPlaceholder(name)))
  const options = Object.entries(body)
    .filter(([name]) => !positionals.includes(name))
    .map(([name, value]) => `--${toKebab(name)} ${toWord(value)}`)
  return ['stakewright', words, ...inOrder, ...options].join(' ')
}

const commandOf = (name: EndpointName): EndpointCommand | undefined =>
  ENDPOINT_COMMANDS.find(({ endpoint }) => endpoint === name)

/** `validatorId` becomes `VALIDATOR_ID`. */
export const toPlaceholder = (name: string): string => toKebab(name).replaceAll('-', '_').toUpperCase()

/** Quotes whatever a shell would not take as one plain word. */
function toWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Replaces the calls of the API that a text names by the commands that make them. Calls without a command stay. */
export const commandWords = (text: string): string =>
  replaceCalls(text, {
    call: (endpoint) => quoted(asCommand(ROUTES[endpoint])),
    name: (endpoint) => quoted(`stakewright ${commandOf(endpoint)?.words}`),
  })
    .replaceAll(/\bSend (it|an API key) as X-API-Key\./g, 'Set $1 as STAKEWRIGHT_API_KEY.')
    .replaceAll(/\bSend (it|a user token) as Authorization: Bearer\./g, 'Set $1 as STAKEWRIGHT_TOKEN.')

const quoted = (command: string | undefined): string | undefined => command && `\`${command}\``

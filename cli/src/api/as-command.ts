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

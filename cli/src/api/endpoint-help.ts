import { ENDPOINTS, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { describedCommand, toPlaceholder } from './as-command.ts'
import type { EndpointCommand } from './endpoint-commands.ts'
import { flagWordsOfHelp } from './flag-words.ts'
import { GLOBAL_FLAGS, REPEAT_FLAGS, SAVE_FLAGS } from './global-flags.ts'
import { type InputFlag, inputFlags, isOptional, listedFlag } from './input-flags.ts'
import { answersSecret, isRepeatable } from './secret-answers.ts'

const CREDENTIALS = {
  none: 'Needs no key.',
  'agent-key': 'Needs an API key: STAKEWRIGHT_API_KEY, or a profile.',
  'user-token': 'Needs the token of a signed-in user: STAKEWRIGHT_TOKEN, or a profile.',
} as const

/** The positional arguments; those with a default are in brackets. */
export function usageOf({ endpoint, positionals }: EndpointCommand): string {
  const flags = inputFlags(endpoint)
  const { oneOf = [] }: EndpointSpec = ENDPOINTS[endpoint]
  const either = [
    ...positionals.filter((name) => oneOf.includes(name)).map(toPlaceholder),
    ...flags.filter(({ field }) => oneOf.includes(field) && !positionals.includes(field)).map(flagWithValue),
  ]
  return [
    ...positionals
      .filter((name) => !oneOf.includes(name))
      .map((name) => (isOptional(endpoint, flags, name) ? `[${toPlaceholder(name)}]` : toPlaceholder(name))),
    ...(either.length > 0 ? [either.join('|')] : []),
  ].join(' ')
}

export const usageLine = (command: EndpointCommand): string =>
  ['stakewright', command.words, usageOf(command), '[options]'].filter((part) => part !== '').join(' ')

/** The help page of a command: summary, inputs and options. */
export function endpointHelp(commands: readonly EndpointCommand[]): string {
  const [first] = commands
  if (!first) return ''
  const usages = commands.map((command) => `  ${usageLine(command)}`)
  const flags = new Map(
    commands.flatMap(({ endpoint }) => inputFlags(endpoint).map((flag) => [flag.flag, flag])),
  )
  const isNeeded = ({ field }: InputFlag) =>
    commands.every(({ endpoint }) => !isOptional(endpoint, inputFlags(endpoint), field))
  const common = Object.entries({
    ...GLOBAL_FLAGS,
    ...(answersSecret(first) && SAVE_FLAGS),
    ...(isRepeatable(first) && REPEAT_FLAGS),
  })
  const { method, path, auth } = ROUTES[first.endpoint]
  const typed = (text: string) => flagWordsOfHelp(describedCommand(text), commands)
  return [
    ENDPOINTS[first.endpoint].summary,
    '',
    ...usages,
    '',
    typed(ENDPOINTS[first.endpoint].description),
    CREDENTIALS[auth],
    ...(flags.size > 0
      ? ['', 'Input', ...[...flags.values()].map((flag) => typed(flagLine(flag, isNeeded(flag))))]
      : []),
    '',
    'Options',
    ...common.map(([name, { help, ...flag }]) =>
      line(`--${name}${'value' in flag ? ` ${flag.value}` : ''}`, help),
    ),
    '',
    `It is ${method} ${path}; \`stakewright schema ${first.words}\` prints its input and answer as JSON Schema.`,
  ].join('\n')
}

const VALUES = { text: ' TEXT', number: ' NUMBER', boolean: '', list: ' A,B', json: ' JSON' } as const

const flagLine = (input: InputFlag, isNeeded: boolean): string => {
  const { field, isSecret, isOn, help } = input
  const text = [isOn ? 'Turns this off:' : [], help, valuesOf(input), isNeeded ? '(required)' : []]
    .flat()
    .join(' ')
  if (isSecret) return line(field, `${text} Never an option: --input - or @FILE, as { "${field}": "…" }`)
  return line(flagWithValue(input), text)
}

/** The allowed values, bounds and default of an input, each as a sentence. */
function valuesOf({ kind, choices, bounds, fallback }: InputFlag): readonly string[] {
  const known = kind === 'list' ? 'Of' : 'One of'
  return [
    ...(kind === 'json' ? ['Or @FILE.'] : []),
    ...(choices.length > 0 ? [`${known} ${choices.join(', ')}.`] : []),
    ...(bounds === undefined ? [] : [`${bounds.slice(0, 1).toUpperCase()}${bounds.slice(1)}.`]),
    ...(kind === 'boolean' || isNothing(fallback) ? [] : [`Default: ${textOf(fallback)}.`]),
  ]
}

const isNothing = (fallback: unknown): boolean =>
  fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const flagWithValue = (input: InputFlag): string => `--${listedFlag(input)}${VALUES[input.kind]}`

const line = (left: string, right: string): string => `  ${left.padEnd(28)} ${right}`.trimEnd()

import type { ParseArgsConfig } from 'node:util'
import type { EndpointName } from '@stakewright/contract'
import { Misuse } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { readOptions } from '../read-options.ts'
import { ENDPOINT_COMMANDS, type EndpointCommand, toKebab } from './endpoint-commands.ts'
import { GLOBAL_FLAGS, REPEAT_FLAGS, SAVE_FLAGS } from './global-flags.ts'
import { type InputFlag, inputFlags, isOptional, readValue } from './input-flags.ts'
import { answersSecret, isRepeatable } from './secret-answers.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Given = Readonly<Record<string, string | boolean | readonly string[]>>

/** A parsed command line: the global options, and the input of the endpoint. */
export type ParsedCall = {
  readonly endpoint: EndpointName
  readonly common: Readonly<Record<string, string | undefined>>
  readonly isSet: (flag: string) => boolean
  readonly input: Readonly<Record<string, unknown>>
}

/** Of `candidates` with the same words, picks the one that takes the given arguments. */
export function parseCall(candidates: readonly EndpointCommand[], args: readonly string[]): ParsedCall {
  const flags = candidates.flatMap(({ endpoint }) => inputFlags(endpoint))
  const { given, words } = parse(args.map(toKebabFlag), flags, optionsFor(candidates, flags))
  const command = meantCommand(candidates, given, words)
  const own = inputFlags(command.endpoint)
  const byOption = optionInput(own, given)
  return {
    endpoint: command.endpoint,
    common: Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    isSet: (flag) => given[flag] === true,
    input: { ...byOption, ...wordInput(command, own, byOption, words) },
  }
}

function optionsFor(candidates: readonly EndpointCommand[], flags: readonly InputFlag[]): Options {
  const inputs = flags
    .filter(({ isSecret }) => !isSecret)
    .map(({ flag, kind }) => [flag, { type: kind === 'boolean' ? 'boolean' : 'string', multiple: true }])
  const common = {
    ...GLOBAL_FLAGS,
    ...(candidates.some(answersSecret) && SAVE_FLAGS),
    ...(candidates.some(isRepeatable) && REPEAT_FLAGS),
  }
  const others = Object.entries(common).map(([flag, { type }]) => [flag, { type, multiple: true }])
  return Object.fromEntries([...inputs, ...others])
}

function parse(args: string[], flags: readonly InputFlag[], options: Options) {
  try {
    const { values, positionals } = readOptions(args, {
      options,
      allowPositionals: true,
      allowNegative: true,
    })
    const given = Object.entries(values).map(([name, value]) => {
      const isList = flags.some(({ flag, kind }) => flag === name && kind === 'list')
      return [name, isList ? value : onlyValue(name, value)]
    })
    return { given: Object.fromEntries(given) as Given, words: positionals }
  } catch (error) {
    const unknown =
      error instanceof Error ? /Unknown option '(--?[^']+)'/.exec(error.message)?.[1] : undefined
    if (unknown === undefined) throw toMisuse(error)
    if (/^-\d/.test(unknown)) throw new Misuse(`${unknown} is a negative number, which no input accepts.`)
    const name = unknown.replace(/^-+/, '')
    if (name in REPEAT_FLAGS)
      throw new Misuse(`${unknown} is not accepted here. It works with ${REPEATABLE}.`)
    throw new Misuse(`There is no option ${unknown}.${didYouMean(name, Object.keys(options), '--')}`)
  }
}

/** Rewords Node's message for a missing value, which explains the parser's configuration. */
function toMisuse(error: unknown): unknown {
  const missing =
    error instanceof Error
      ? /^Option '(?:-\w, )?(--[\w-]+) <value>' argument/.exec(error.message)?.[1]
      : undefined
  return missing === undefined ? error : new Misuse(`${missing} needs a value.`)
}

const REPEATABLE = [...new Set(ENDPOINT_COMMANDS.filter(isRepeatable).map(({ words }) => words))].join(', ')

/** An option may be repeated, but not contradicted. */
function onlyValue(name: string, values: unknown): unknown {
  const [first, ...others] = Array.isArray(values) ? values : [values]
  if (others.every((other) => other === first)) return first
  throw new Misuse(`--${name} is given more than once, with different values.`)
}

function meantCommand(candidates: readonly EndpointCommand[], given: Given, words: readonly string[]) {
  const lacksGivenOption = ({ endpoint }: EndpointCommand) => {
    const own = inputFlags(endpoint).map(({ flag }) => flag)
    const others = candidates.flatMap((other) => inputFlags(other.endpoint).map(({ flag }) => flag))
    return others.some((flag) => flag in given && !own.includes(flag))
  }
  const open = ({ positionals }: EndpointCommand) => positionals.filter((field) => !(toKebab(field) in given))
  const fitting = candidates.filter((candidate) => !lacksGivenOption(candidate))
  const command = fitting.find((each) => open(each).length === words.length) ?? fitting.at(-1)
  if (!command) throw new Misuse('These options do not go together: --help shows which do.')
  return command
}

/**
 * Assigns positional arguments from the left to inputs that no option sets. Required inputs come before optional
 * ones, unless the word has the form of an optional one: an e-mail address is not the name of an agent.
 */
function wordInput(
  { endpoint, positionals }: EndpointCommand,
  own: readonly InputFlag[],
  byOption: Readonly<Record<string, unknown>>,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const open = positionals.filter((field) => !(field in byOption))
  const canBeMissing = (field: string) => isOptional(endpoint, own, field)
  const hasFormOf = (field: string, text = '') => {
    const { pattern } = own.find((each) => each.field === field) ?? {}
    return pattern !== undefined && new RegExp(pattern).test(text)
  }
  let spare = words.length - open.filter((field) => !canBeMissing(field)).length
  const taken: string[] = []
  for (const field of open) {
    if (!canBeMissing(field) || hasFormOf(field, words[taken.length]) || spare-- > 0) taken.push(field)
  }
  const extra = words[taken.length]
  if (extra !== undefined) {
    const twice = positionals.find((field) => field in byOption)
    const why = twice === undefined ? '' : `: --${toKebab(twice)} is given as well`
    throw new Misuse(`"${extra}" is an unexpected argument${why}.`)
  }
  const entries = taken.flatMap((field, index) => {
    const flag = own.find((each) => each.field === field)
    const text = words[index]
    return text === undefined || !flag ? [] : [[field, readValue(flag, text)] as const]
  })
  return Object.fromEntries(entries)
}

/** Accepts the API's own field names as options, too. */
const toKebabFlag = (arg: string): string =>
  arg.replace(/^--([a-z]+[A-Z]\w*)/, (_, name: string) => `--${toKebab(name)}`)

function optionInput(flags: readonly InputFlag[], given: Given): Readonly<Record<string, unknown>> {
  const entries = flags.flatMap((flag) => {
    const value = given[flag.flag]
    if (value === undefined) return []
    if (Array.isArray(value)) return [[flag.field, value.flatMap((text) => readValue(flag, String(text)))]]
    return [[flag.field, typeof value === 'string' ? readValue(flag, value) : value]]
  })
  return Object.fromEntries(entries)
}

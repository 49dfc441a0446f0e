import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { EndpointName } from '@stakewright/contract'
import { Misuse } from '../command.ts'
import { meant } from '../meant.ts'
import { DEFAULTS, type EndpointCommand, toKebab } from './endpoint-commands.ts'
import { GLOBAL_FLAGS, SAVE_FLAG } from './global-flags.ts'
import { type InputFlag, inputFlags, readValue } from './input-flags.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>

/** A command line as it was meant: the options of the command line itself, and the input of the endpoint. */
export type ParsedCall = {
  readonly endpoint: EndpointName
  readonly common: Readonly<Record<string, string | undefined>>
  readonly isSet: (flag: string) => boolean
  readonly input: Readonly<Record<string, unknown>>
}

const KEY = /\b[a-z][a-z0-9]{1,7}_[0-9A-Za-z]{46}\b/

/** `candidates` share their words; the one that takes as many words as were given is meant. */
export function parseCall(candidates: readonly EndpointCommand[], args: readonly string[]): ParsedCall {
  refuseKeys(args)
  const flags = candidates.flatMap(({ endpoint }) => inputFlags(endpoint))
  const { values, positionals } = parse(args.map(toKebabFlag), optionsFor(flags))
  const command =
    candidates.find((candidate) => candidate.positionals.length === positionals.length) ?? candidates.at(-1)
  if (!command) throw new Misuse('There is no such command.')
  const extra = positionals[command.positionals.length]
  if (extra !== undefined) throw new Misuse(`"${extra}" is one word too many.`)
  const own = inputFlags(command.endpoint)
  const byPosition = command.positionals.flatMap((field, index) => {
    const text = positionals[index]
    const flag = own.find((each) => each.field === field)
    return text === undefined || !flag ? [] : [[field, readValue(flag, text)] as const]
  })
  return {
    endpoint: command.endpoint,
    common: textsOf(values),
    isSet: (flag) => values[flag] === true,
    input: { ...DEFAULTS[command.endpoint], ...byFlag(own, values), ...Object.fromEntries(byPosition) },
  }
}

/** Other users of a machine can see the arguments of a program. */
function refuseKeys(args: readonly string[]): void {
  if (!args.some((arg) => KEY.test(arg) || /^--api-?key\b/i.test(arg))) return
  throw new Misuse(
    'Keys are never arguments, which others on this machine can read: set STAKEWRIGHT_API_KEY, or save one in a profile.',
  )
}

function optionsFor(flags: readonly InputFlag[]): Options {
  const inputs = flags.map(({ flag, kind }) => [
    flag,
    { type: kind === 'boolean' ? 'boolean' : 'string', multiple: kind === 'list' },
  ])
  const common = Object.entries({ ...GLOBAL_FLAGS, ...SAVE_FLAG }).map(([flag, { type }]) => [flag, { type }])
  return Object.fromEntries([...inputs, ...common])
}

function parse(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const unknown =
      error instanceof Error ? /Unknown option '(--?[^']+)'/.exec(error.message)?.[1] : undefined
    if (unknown === undefined) throw error
    const name = unknown.replace(/^-+/, '')
    throw new Misuse(`There is no option ${unknown}.${meant(name, Object.keys(options), '--')}`)
  }
}

/** Who knows the API types the names of its fields. */
const toKebabFlag = (arg: string): string =>
  arg.replace(/^--([a-z]+[A-Z]\w*)/, (_, name: string) => `--${toKebab(name)}`)

const textsOf = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

function byFlag(flags: readonly InputFlag[], values: Values): Readonly<Record<string, unknown>> {
  const given = flags.flatMap((flag) => {
    const value = values[flag.flag]
    if (value === undefined) return []
    if (Array.isArray(value)) return [[flag.field, value.flatMap((text) => readValue(flag, String(text)))]]
    return [[flag.field, typeof value === 'string' ? readValue(flag, value) : value]]
  })
  return Object.fromEntries(given)
}

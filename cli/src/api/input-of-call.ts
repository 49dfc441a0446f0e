import { isDeepStrictEqual } from 'node:util'
import { ENDPOINTS, type EndpointName, type EndpointSpec, nearestName } from '@stakewright/contract'
import { Misuse, Refusal, type Terminal } from '../command.ts'
import { shownName } from '../hide-secrets.ts'
import { toPlaceholder } from './as-command.ts'
import { DEFAULTS, ENDPOINT_COMMANDS } from './endpoint-commands.ts'
import { usageLine } from './endpoint-help.ts'
import { type InputFlag, inputFlags } from './input-flags.ts'
import type { ParsedCall } from './parse-call.ts'
import { readInput } from './read-input.ts'

type Input = Readonly<Record<string, unknown>>

/** The endpoint's input: arguments and options of the line, then `--input`, then defaults. */
export async function inputOf(call: ParsedCall, readStandardInput: Terminal['readInput']): Promise<Input> {
  const input = { ...DEFAULTS[call.endpoint], ...(await givenInput(call, readStandardInput)) }
  requireInputs(call.endpoint, input)
  return input
}

async function givenInput({ endpoint, common, input }: ParsedCall, readStandardInput: Terminal['readInput']) {
  const source = common['input']
  if (source === undefined) return input
  const flags = inputFlags(endpoint)
  const fields = flags.map(({ field }) => field)
  const read = fields.includes('items')
    ? withStakes(await readInput(source, [...fields, ALLOCATIONS], readStandardInput))
    : await readInput(source, fields, readStandardInput)
  const twice = fields.find(
    (field) => field in read && field in input && !isDeepStrictEqual(read[field], input[field]),
  )
  if (twice !== undefined) {
    throw new Misuse(`--input has another ${twice} than the command line: give it once.`)
  }
  return { ...read, ...input }
}

const ALLOCATIONS = 'allocations'

/** Turns the answer of `allocate` into the stakes of a batch, for a command that takes actions. */
function withStakes({ [ALLOCATIONS]: parts, ...read }: Input): Input {
  if (!Array.isArray(parts)) return read
  const items = parts.map((part) => {
    const { validatorId, amount } = Object(part)
    return { action: 'stake', validatorId, amount }
  })
  return { items, ...read }
}

function requireInputs(endpoint: EndpointName, input: Input): void {
  const flags = inputFlags(endpoint)
  const missing = flags.filter(({ field, isRequired }) => isRequired && input[field] === undefined)
  if (missing.length > 0) {
    refuseMisnamed(flags, missing, input)
    throw new Misuse(`Missing: ${missing.map(nameIn(endpoint)).join(', ')}. ${usageFor(endpoint)}`)
  }
  const rule = brokenRule(endpoint, input)
  if (rule === undefined) return
  const inFlags = rule.replaceAll(/`(\w+)`/g, (_, field: string) => {
    const flag = flags.find((each) => each.field === field)
    return flag ? nameIn(endpoint)(flag) : field
  })
  throw new Misuse(`Missing: ${inFlags}. ${usageFor(endpoint)}`)
}

/** Refuses an unknown field of `--input` that was probably meant as a missing one: similar, or the only candidate. */
function refuseMisnamed(flags: readonly InputFlag[], missing: readonly InputFlag[], input: Input): void {
  const unknown = Object.keys(input).filter((name) => !flags.some(({ field }) => field === name))
  const fields = missing.map(({ field }) => field)
  const isOnly = fields.length === 1 && unknown.length === 1
  const meant = (name: string) => nearestName(name, fields) ?? (isOnly ? fields[0] : undefined)
  const wrong = unknown.find((name) => meant(name) !== undefined)
  if (wrong === undefined) return
  const [name, field] = [shownName(wrong), meant(wrong)]
  throw new Refusal(
    'usage',
    `\`${name}\` is not a field of this command; use \`${field}\`.`,
    `Use \`${field}\` instead of \`${name}\`.`,
  )
}

const commandOf = (endpoint: EndpointName) => ENDPOINT_COMMANDS.find((each) => each.endpoint === endpoint)

function usageFor(endpoint: EndpointName): string {
  const command = commandOf(endpoint)
  return command === undefined ? '' : `Usage: ${usageLine(command)}`
}

/** Names an input as the usage line does: a positional argument in capitals, any other as its option. */
const nameIn =
  (endpoint: EndpointName) =>
  ({ flag, field, isSecret }: InputFlag): string => {
    if (isSecret) return `${field}, which only --input takes`
    return commandOf(endpoint)?.positionals.includes(field) ? toPlaceholder(field) : `--${flag}`
  }

/** Checks rules of the body as a whole, such as “either positions or their owner”, which no single field has. */
function brokenRule(endpoint: EndpointName, input: Input): string | undefined {
  const { body }: EndpointSpec = ENDPOINTS[endpoint]
  if (!body) return undefined
  const fields = Object.entries(input).filter(([field]) => field in body.shape)
  const issues = body.safeParse(Object.fromEntries(fields)).error?.issues ?? []
  const issue = issues.find(
    ({ code, path: [field] }) =>
      code === 'custom' && (field === undefined || input[String(field)] === undefined),
  )
  if (!issue) return undefined
  const [field] = issue.path
  return field === undefined ? `it ${issue.message}` : `\`${String(field)}\` ${issue.message}`
}

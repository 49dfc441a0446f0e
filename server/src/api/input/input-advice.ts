import {
  AMOUNT_FORM,
  CHAIN_ID_FORM,
  type EndpointName,
  type EndpointSpec,
  fixOfRefusal,
  nearestValue,
} from '@stakewright/contract'
import { printPercent } from '#domain/percent.ts'
import { MAX_U64 } from '../../basics/u64.ts'
import { call, term } from '../../fault.ts'
import { fieldsAt } from './fields-at.ts'
import { definitionOf } from './schema-definition.ts'

export type Issue = {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  readonly input?: unknown
  readonly expected?: string
  /** Whether the value came from a URL, where all values are text. */
  readonly isText?: boolean
  /** Of a number that is too large: the upper bound. */
  readonly maximum?: unknown
  /** The values of an enum, or the discriminator values of a union. */
  readonly values?: readonly unknown[]
  readonly options?: readonly unknown[]
  /** The discriminator field of a union. */
  readonly discriminator?: string | undefined
  /** The extra data of the contract's own checks. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** How to correct a value, and the call that lists valid values if another one is needed. */
export type Advice = { readonly text: string; readonly source?: EndpointName | undefined }

export const isMissingIn = ({ code, input, discriminator }: Issue): boolean =>
  discriminator === undefined
    ? code === 'invalid_type' && input === undefined
    : Object(input)[discriminator] === undefined

/**
 * How to correct common mistakes; undefined if the message of the issue already says all.
 * The advice never repeats text of the caller, because that may be a secret in the wrong field.
 */
export function adviceFor(field: string, issue: Issue, row: EndpointSpec): Advice | undefined {
  const said = fixOfRefusal(issue.params)
  if (said !== undefined) return { text: said.fix, source: said.source }
  const form = formAdvice(field, issue, row)
  if (form !== undefined) return { text: form }
  if (issue.message === AMOUNT_FORM) return amountAdvice(field, issue.input, row)
  return issue.message === CHAIN_ID_FORM ? idAdvice(field, issue.input, row) : undefined
}

/** Advice about the form of the value: spelling, type or unit. */
function formAdvice(field: string, issue: Issue, row: EndpointSpec): string | undefined {
  const { input, expected = '' } = issue
  const isText = typeof input === 'string'
  const near = nearValue(issue)
  if (near !== undefined)
    return `Send "${near}" as \`${field}\`${orderAdvice(input, row)}, if that is what you mean.`
  if (input === null && isOptional(field, row)) return `Leave out \`${field}\`: null is not a value of it.`
  if (isText && BY_KIND[expected]?.test(input))
    return issue.isText === true
      ? `Write \`${field}\` ${PLAIN[expected]}, and nothing else: a + is a space in a URL.`
      : `Send \`${field}\` as ${KINDS[expected]}, without quotes.`
  if (isText && expected === 'array' && /^\s*\[/.test(input))
    return `Send \`${field}\` as a list, and not as the text of one.`
  if (Array.isArray(input) && MISTYPED.has(issue.code) && expected !== 'object')
    return isReadFromText(field, row)
      ? `Send \`${field}\` as one text, with commas between its parts.`
      : `Send \`${field}\` as one value, and not as a list.`
  if (issue.code === 'too_big' && issue.maximum === 1 && Number(input) <= 100)
    return `Send \`${field}\` as a fraction: ${Number(input) / 100} means ${printPercent(Number(input))}.`
  if (expected === 'array') return `Send \`${field}\` as a list${lengthAdvice(field, row)}.`
  return expected === 'object' ? objectAdvice(field, issue, row) : undefined
}

/** The codes of issues about a value of a wrong type, or of none of the allowed values. */
const MISTYPED: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value'])

/** Whether the field is a list that is sent as text. Its schema is a pipe from the text to the list. */
const isReadFromText = (field: string, { query }: EndpointSpec): boolean =>
  definitionOf(query?.shape[field]).type === 'pipe'

function idAdvice(field: string, input: unknown, row: EndpointSpec): Advice | undefined {
  if (typeof input === 'string' && /^\s*(?:0x)?[0-9a-f]{64}\s*$/i.test(input))
    return { text: `Send \`${field}\` with 0x before its 64 digits, and without spaces.` }
  const source = sourceOf(field, row)
  const text = IDS[source ?? '']
  return text === undefined ? undefined : { text, source }
}

/** The valid value nearest to a misspelled one. */
function nearValue({ input, values, options, discriminator }: Issue): string | undefined {
  const given = discriminator === undefined ? input : Object(input)[discriminator]
  const known = (values ?? options ?? []).filter((value) => typeof value === 'string')
  return typeof given === 'string' ? nearestValue(given, known) : undefined
}

/** Other APIs write `-apy` for descending order. */
const orderAdvice = (input: unknown, { query }: EndpointSpec): string =>
  typeof input === 'string' && input.startsWith('-') && query !== undefined && 'order' in query.shape
    ? ' and "desc" as `order`'
    : ''

const BY_KIND: Readonly<Record<string, RegExp>> = {
  number: /^\s*-?[\d.]+\s*$/,
  int: /^\s*-?\d+\s*$/,
  boolean: /^\s*(?:true|false)\s*$/i,
}
const PLAIN: Readonly<Record<string, string>> = {
  number: 'in plain digits',
  int: 'in plain digits',
  boolean: 'as true or false',
}
const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a number',
  boolean: 'true or false',
}

/** Stands for the whole request where the problem is not in one field. */
export const WHOLE = term('input')

function objectAdvice(field: string, { path }: Issue, row: EndpointSpec): string | undefined {
  // In JSON quotes, because transports replace names of inputs in backticks by their own.
  const members = fieldsAt(row, path)?.map((name) => `"${name}": …`)
  return members && `Send \`${field}\` as an object: { ${members.join(', ')} }.`
}

function amountAdvice(field: string, input: unknown, row: EndpointSpec): Advice {
  const text = amountForm(field, input, row)
  if (text !== undefined) return { text }
  return {
    text: `Send \`${field}\` as tokens times 10^\`decimals\`, in digits: ${call('metadata')} has \`decimals\`.`,
    source: 'metadata',
  }
}

function amountForm(field: string, input: unknown, row: EndpointSpec): string | undefined {
  if (isTooLarge(input)) return `Send less: \`${field}\` is above ${MAX_U64}, the most that a chain counts.`
  if (typeof input === 'string' && /^\s*(?:max|all|full|everything|100 ?%)/i.test(input)) {
    return isOptional(field, row)
      ? `Leave out \`${field}\` for all of it.`
      : `Give \`${field}\` in digits: the service does not know wallet balances.`
  }
  if (typeof input === 'string' && /^\s*\d+\s*$/.test(input))
    return `Send \`${field}\` without leading zeros and spaces.`
  // The JSON parser reads a number that is too large to be exact as Infinity.
  if (
    typeof input === 'number' &&
    input >= 0 &&
    (Number.isInteger(input) || input === Number.POSITIVE_INFINITY)
  )
    return `Put \`${field}\` in quotes: it is a string of digits, tokens times 10^\`decimals\`.`
  return undefined
}

/** Above u64, as digits or in scientific notation such as 1e+30. */
function isTooLarge(input: unknown): boolean {
  const text = String(input).trim()
  if (/^\d+$/.test(text)) return BigInt(text) > MAX_U64
  return /^\d+(?:\.\d+)?e\+?\d+$/i.test(text) && Number(text) > Number(MAX_U64)
}

const IDS: Readonly<Record<string, string>> = {
  validators: `Take the id from ${call('validators')}: its \`search\` finds a validator by name.`,
  positions: `Take the id from ${call('positions')}.`,
}

/** The call that lists valid values of a field. */
const SOURCES: Readonly<Record<string, EndpointName>> = {
  validatorId: 'validators',
  validatorIds: 'validators',
  exclude: 'validators',
  stakedTokenId: 'positions',
  amount: 'metadata',
  commands: 'buildStake',
}

export function sourceOf(field: string, row: EndpointSpec): EndpointName | undefined {
  const { tag } = row
  if (heldIn(field, row) !== undefined) return 'positions'
  const name = /(\w+)(?:\[\d+\])?$/.exec(field)?.[1] ?? ''
  return name === 'id' && tag === 'Staking data' ? 'validators' : SOURCES[name]
}

/** The list of staked tokens that contains the field, if the request may give `owner` instead of the list. */
export function heldIn(field: string, { body }: EndpointSpec): string | undefined {
  const list = /^(existing|positions)\[/.exec(field)?.[1]
  return list !== undefined && body !== undefined && 'owner' in body.shape ? list : undefined
}

/** The fields that a request must have. */
export const requiredIn = (row: EndpointSpec): readonly string[] =>
  partsOf(row).flatMap((shape) => Object.keys(shape).filter((name) => !isOptional(name, row)))

/** Whether a field is optional; nested fields count as required. */
function isOptional(field: string, row: EndpointSpec): boolean {
  const shape = partsOf(row).find((part) => Object.hasOwn(part, field))
  return shape?.[field]?.safeParse(undefined).success === true
}

/** How many items a list needs, from the refusal of an empty one; nested lists are not looked up. */
function lengthAdvice(field: string, row: EndpointSpec): string {
  const schema = partsOf(row).find((part) => Object.hasOwn(part, field))?.[field]
  if (schema === undefined) return ''
  const least = schema.safeParse([]).error?.issues.find(({ code }) => code === 'too_small')?.minimum
  return least === undefined || Number(least) <= 1
    ? ', also when it has one item'
    : ` of at least ${least} items`
}

type Shape = Readonly<Record<string, { safeParse(value: unknown): Parsed }>>

type Parsed = {
  readonly success: boolean
  readonly error?: { readonly issues: readonly { readonly code: string; readonly minimum?: unknown }[] }
}

const partsOf = ({ params, query, body }: EndpointSpec): readonly Shape[] =>
  [params, query, body].flatMap((part) => (part ? [part.shape as Shape] : []))

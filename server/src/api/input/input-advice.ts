import { type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'

export type Issue = {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code: string
  readonly input?: unknown
  readonly expected?: string
}

export const isMissingIn = ({ code, input }: Issue): boolean => code === 'invalid_type' && input === undefined

/** How to mend what callers usually get wrong; undefined where nothing can be said but what it must be. */
export function adviceFor(field: string, issue: Issue, row: EndpointSpec): string | undefined {
  const { input, expected = '', message } = issue
  const isText = typeof input === 'string'
  if (input === null && isOptional(field, row)) return `Leave out \`${field}\`: null is not a value of it.`
  if (isText && BY_KIND[expected]?.test(input))
    return `Send \`${field}\` as ${KINDS[expected]}, without quotes.`
  if (isText && expected === 'array' && /^\s*\[/.test(input))
    return `Send \`${field}\` as a list, and not as the text of one.`
  if (expected === 'array') return `Send \`${field}\` as a list, also when it has one item.`
  if (message.includes('smallest units')) return amountAdvice(field, input, row)
  return message.includes('chain id') ? IDS[sourceOf(field, row) ?? ''] : undefined
}

const BY_KIND: Readonly<Record<string, RegExp>> = {
  number: /^\s*-?[\d.]+\s*$/,
  int: /^\s*-?\d+\s*$/,
  boolean: /^\s*(?:true|false)\s*$/i,
}
const KINDS: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a number',
  boolean: 'true or false',
}

function amountAdvice(field: string, input: unknown, row: EndpointSpec): string {
  if (typeof input === 'string' && /^\s*(?:max|all|full|everything|100 ?%)/i.test(input)) {
    return isOptional(field, row)
      ? `Leave out \`${field}\` for all of it.`
      : `Give \`${field}\` in digits: what a wallet holds is not known here.`
  }
  if (Number.isSafeInteger(input) && Number(input) >= 0)
    return `Put \`${field}\` in quotes: it is a string of digits.`
  return `Send \`${field}\` as tokens times 10^\`decimals\`, in digits: ${callTo('metadata')} has \`decimals\`.`
}

const callTo = (name: EndpointName): string => `${ROUTES[name].method} ${ROUTES[name].path}`

const IDS: Readonly<Record<string, string>> = {
  validators: `Take the id from ${callTo('validators')}: its \`search\` finds a validator by name.`,
  positions: `Take the id from ${callTo('positions')}.`,
}

/** Where right values of a field come from. */
const SOURCES: Readonly<Record<string, EndpointName>> = {
  validatorId: 'validators',
  validatorIds: 'validators',
  exclude: 'validators',
  stakedTokenId: 'positions',
  amount: 'metadata',
}

export function sourceOf(field: string, { tag }: EndpointSpec): EndpointName | undefined {
  const name = /(\w+)(?:\[\d+\])?$/.exec(field)?.[1] ?? ''
  return name === 'id' && tag === 'Staking data' ? 'validators' : SOURCES[name]
}

/** The fields that a request must have. */
export const requiredIn = (row: EndpointSpec): readonly string[] =>
  partsOf(row).flatMap((shape) => Object.keys(shape).filter((name) => !isOptional(name, row)))

/** Whether the request may do without a field; one inside another is taken for required. */
function isOptional(field: string, row: EndpointSpec): boolean {
  const shape = partsOf(row).find((part) => Object.hasOwn(part, field))
  return shape?.[field]?.safeParse(undefined).success === true
}

type Shape = Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>>

const partsOf = ({ params, query, body }: EndpointSpec): readonly Shape[] =>
  [params, query, body].flatMap((part) => (part ? [part.shape as Shape] : []))

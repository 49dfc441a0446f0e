import type { CallToolResult } from '@modelcontextprotocol/server'
import { ENDPOINTS, type EndpointSpec } from '@stakewright/contract'
import type { Answer } from '#api/answer.ts'
import { callsAsTools } from '../in-tools.ts'
import type { Tool } from '../tool-table.ts'
import { compactText } from './compact-text.ts'
import { isDocument } from './documents.ts'
import { neededBy, type Shortened, shortenAnswer } from './shorten-answer.ts'

type Asked = {
  readonly tool: Tool
  /** The input of the endpoint. */
  readonly input: Readonly<Record<string, unknown>>
  readonly detail: 'compact' | 'full'
  readonly idempotencyKey: string | undefined
}

/** An answer as the result of a tool: the same facts as structured content and as text, and what is missing of them. */
export function showAnswer(answer: Answer, asked: Asked): CallToolResult {
  if (answer.status === UNCHANGED) {
    return { content: [{ type: 'text', text: 'Unchanged.' }], structuredContent: { unchanged: true } }
  }
  const whole = toObject(callsAsTools(toObject(answer.body)))
  if (asked.detail === 'full') return resultOf(whole, {}, '')
  const { sums }: EndpointSpec = ENDPOINTS[asked.tool.endpoint]
  const shortened = shortenAnswer(whole, { textOf: compactText, part: answer.part, sums })
  const list = longerList(answer, whole, asked)
  const omitted = { ...shortened.omitted, ...(list && missingFrom(list, whole, shortened.answer, asked)) }
  const hasAll = !list || lengthOf(whole[list.items]) === list.rest
  const ways = waysOn(list && list.items in omitted ? list : undefined, shortened.answer, hasAll, asked)
  return resultOf(
    callsFirst(shortened.answer),
    omitted,
    hintOf({ ...shortened, omitted }, { list, sums }, ways),
  )
}

const resultOf = (shown: Fields, omitted: Shortened['omitted'], hint: string): CallToolResult => ({
  content: [{ type: 'text', text: `${compactText(shown)}${hint}` }],
  structuredContent: Object.keys(omitted).length === 0 ? { ...shown } : { ...shown, omitted },
})

/** Of a plan, what to do comes before why. */
function callsFirst(shown: Fields): Fields {
  const { summary, calls, ...rest } = shown
  return Array.isArray(calls) ? { summary, calls, ...rest } : shown
}

/** A list of which the answer has a page. */
type LongerList = {
  readonly items: string
  /** From the first item of the page on; undefined: nobody has counted them. */
  readonly rest: number | undefined
  /** How to go on after so many items. */
  readonly wayOn: (shown: number) => string
}

function longerList({ part }: Answer, body: Fields, { tool, input }: Asked): LongerList | undefined {
  if (part) return { ...part, wayOn: () => 'nextCursor as cursor for the next ones' }
  const { query, list }: EndpointSpec = ENDPOINTS[tool.endpoint]
  if (!list || !query || !('offset' in query.shape)) return undefined
  const offset = Number(input['offset'] ?? 0)
  return {
    items: list.items,
    rest: Math.max(0, Number(body['total']) - offset),
    wayOn: (shown) => `offset: ${offset + shown} for the older ones`,
  }
}

/** Everything behind the last item that is shown, unless the caller asked for no more than that. */
function missingFrom({ items, rest }: LongerList, whole: Fields, shown: Fields, { input }: Asked) {
  const [page, count] = [lengthOf(whole[items]), lengthOf(shown[items])]
  const isAsCalled = count === page && (input['limit'] !== undefined || rest === undefined)
  const missing = (rest ?? page) - count
  return isAsCalled || missing <= 0 ? {} : { [items]: missing }
}

/** What is missing, and how to get it. */
function hintOf({ omitted, documents }: Shortened, { list, sums = [] }: Told, ways: string): string {
  const { leftOut, stays } = documents
  const missing = Object.entries(omitted).flatMap(([name, count]) => {
    if (leftOut.includes(name))
      return stays && isDocument(name) ? [`${name}, which says the same as ${stays}`] : [name]
    const isCounted = name !== list?.items || list.rest !== undefined
    return [`${isCounted ? '' : 'at least '}${count} more in ${name}${whyTold(name, sums)}`]
  })
  return missing.length === 0 ? '' : `\n(not all: ${missing.join(', ')}; ${ways})`
}

type Told = { readonly list: LongerList | undefined; readonly sums: EndpointSpec['sums'] }

function whyTold(name: string, sums: NonNullable<Told['sums']>): string {
  const whole = neededBy(name)
  if (whole !== undefined) return `, all of which the ${whole} needs`
  const sum = sums.find(({ list, isOfUnlisted }) => isOfUnlisted && list === name)
  return sum ? `, which ${sum.beside} counts` : ''
}

/** Asking again does something again, unless the request has a name. */
function waysOn(
  list: LongerList | undefined,
  shown: Fields,
  hasAll: boolean,
  { tool, idempotencyKey }: Asked,
): string {
  if (!tool.isRepeatable && !tool.description.annotations.readOnlyHint)
    return 'detail: "full" from the first call on gets everything; another call does it again'
  const uncut = `detail: "full" to get ${hasAll ? 'everything' : 'the whole page'}`
  if (!tool.isRepeatable)
    return `pass ${list ? `${list.wayOn(lengthOf(shown[list.items]))}, or ` : ''}${uncut}`
  return idempotencyKey === undefined
    ? 'detail: "full" gets everything, but makes another one: pass idempotencyKey from the first call on'
    : 'repeat the call with the same idempotencyKey and detail: "full" to get everything'
}

const UNCHANGED = 304

type Fields = Shortened['answer']

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** Public answers are kept as text, ready to be sent. */
function toObject(body: unknown): Fields {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
  return typeof value === 'object' && value !== null ? { ...value } : { value }
}

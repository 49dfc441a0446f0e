import type { CallToolResult } from '@modelcontextprotocol/server'
import { ENDPOINTS, type EndpointSpec, type ListSum } from '@stakewright/contract'
import type { Answer } from '#api/answer.ts'
import { callsAsTools } from '../in-tools.ts'
import type { Tool } from '../tool-table.ts'
import { compactText } from './compact-text.ts'
import { isDocument } from './documents.ts'
import { neededBy, type Shortened, shortenAnswer } from './shorten-answer.ts'

type ToolCall = {
  readonly tool: Tool
  /** The input of the endpoint. */
  readonly input: Readonly<Record<string, unknown>>
  readonly detail: 'compact' | 'full'
  readonly idempotencyKey: string | undefined
}

/** An answer as a tool result: structured content, the same as text, and what was left out. */
export function showAnswer(answer: Answer, call: ToolCall): CallToolResult {
  if (answer.isUnchanged) {
    return { content: [{ type: 'text', text: 'Unchanged.' }], structuredContent: { unchanged: true } }
  }
  const whole = toObject(callsAsTools(toObject(answer.body)))
  if (call.detail === 'full') return showWhole(answer, whole, call)
  const sums = sumsIn(whole, ENDPOINTS[call.tool.endpoint])
  const shortened = shortenAnswer(whole, { textOf: compactText, part: answer.part, sums })
  const list = pagedListOf(answer, whole, call)
  const omitted = { ...shortened.omitted, ...(list && missingFrom(list, whole, shortened.answer, call)) }
  const hasAll = !list || lengthOf(whole[list.items]) === list.rest
  const ways = howToGetRest(list && list.items in omitted ? list : undefined, shortened.answer, hasAll, call)
  return resultOf(
    callsFirst(shortened.answer),
    omitted,
    hintOf({ ...shortened, omitted }, { list, sums }, ways),
  )
}

/** The whole page; the items that are not on it are counted, unless the caller's own limit left them out. */
function showWhole(answer: Answer, whole: Fields, call: ToolCall): CallToolResult {
  const list = pagedListOf(answer, whole, call)
  const omitted = list ? missingFrom(list, whole, whole, call) : {}
  if (list === undefined || !(list.items in omitted)) return resultOf(whole, {}, '')
  const ways = `pass ${list.nextPage(lengthOf(whole[list.items]))}`
  const nothing = { answer: whole, omitted, documents: { leftOut: [] } }
  return resultOf(whole, omitted, hintOf(nothing, { list, sums: [] }, ways))
}

/** The sums that can be computed: the caller may have deselected the field that is summed up. */
const sumsIn = (whole: Fields, { sums = [] }: EndpointSpec): readonly ListSum[] =>
  sums.filter(({ list, field }) => !Array.isArray(whole[list]) || whole[list].every((item) => field in item))

const resultOf = (shown: Fields, omitted: Shortened['omitted'], hint: string): CallToolResult => ({
  content: [{ type: 'text', text: `${compactText(shown)}${hint}` }],
  structuredContent: Object.keys(omitted).length === 0 ? { ...shown } : { ...shown, omitted },
})

/** Puts the calls of a plan before the reasons. */
function callsFirst(shown: Fields): Fields {
  const { summary, calls, ...rest } = shown
  return Array.isArray(calls) ? { summary, calls, ...rest } : shown
}

/** A list of which the answer has one page. */
type PagedList = {
  readonly items: string
  /** Items from the first one of the page to the end; undefined: unknown. */
  readonly rest: number | undefined
  /** The argument for the next page, after this many items. */
  readonly nextPage: (shown: number) => string
}

function pagedListOf({ part }: Answer, body: Fields, { tool, input }: ToolCall): PagedList | undefined {
  if (part) return { ...part, nextPage: () => 'nextCursor as cursor for the next ones' }
  const { query, list }: EndpointSpec = ENDPOINTS[tool.endpoint]
  if (!list || !query || !('offset' in query.shape)) return undefined
  const offset = Number(input['offset'] ?? 0)
  return {
    items: list.items,
    rest: Math.max(0, Number(body['total']) - offset),
    nextPage: (shown) => `offset: ${offset + shown} for the older ones`,
  }
}

/** The number of items after the last one shown, unless the caller's own limit left them out. */
function missingFrom({ items, rest }: PagedList, whole: Fields, shown: Fields, { input }: ToolCall) {
  const [page, count] = [lengthOf(whole[items]), lengthOf(shown[items])]
  const isAsCalled = count === page && (input['limit'] !== undefined || rest === undefined)
  const missing = (rest ?? page) - count
  return isAsCalled || missing <= 0 ? {} : { [items]: missing }
}

/** What is missing, and how to get it. */
function hintOf({ omitted, documents }: Shortened, { list, sums = [] }: HintContext, ways: string): string {
  const { leftOut, stays } = documents
  const missing = Object.entries(omitted).flatMap(([name, count]) => {
    if (leftOut.includes(name))
      return stays && isDocument(name) ? [`${name}, which says the same as ${stays}`] : [name]
    const isCounted = name !== list?.items || list.rest !== undefined
    return [`${isCounted ? '' : 'at least '}${count} more in ${name}${whyOmitted(name, sums)}`]
  })
  return missing.length === 0 ? '' : `\n(not all: ${missing.join(', ')}; ${ways})`
}

type HintContext = { readonly list: PagedList | undefined; readonly sums: EndpointSpec['sums'] }

function whyOmitted(name: string, sums: NonNullable<HintContext['sums']>): string {
  const whole = neededBy(name)
  if (whole !== undefined) return `, all of which the ${whole} needs`
  const sum = sums.find(({ list, isOfUnlisted }) => isOfUnlisted && list === name)
  return sum ? `, which ${sum.remainder} counts` : ''
}

/** How to get what was left out. A repeated call has its effect again, unless it has an idempotency key. */
function howToGetRest(
  list: PagedList | undefined,
  shown: Fields,
  hasAll: boolean,
  { tool, idempotencyKey }: ToolCall,
): string {
  if (!tool.isRepeatable && !tool.description.annotations.readOnlyHint)
    return 'detail: "full" from the first call on gets everything; another call does it again'
  const uncut = `detail: "full" to get ${hasAll ? 'everything' : 'the whole page'}`
  if (!tool.isRepeatable)
    return `pass ${list ? `${list.nextPage(lengthOf(shown[list.items]))}, or ` : ''}${uncut}`
  return idempotencyKey === undefined
    ? 'detail: "full" gets everything, but makes another one: pass idempotencyKey from the first call on'
    : 'repeat the call with the same idempotencyKey and detail: "full" to get everything'
}

type Fields = Shortened['answer']

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)

/** Public answers are cached as text. */
function toObject(body: unknown): Fields {
  const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
  return typeof value === 'object' && value !== null ? { ...value } : { value }
}

import type { ListSum } from '@stakewright/contract'
import type { ListPart } from '#api/answer.ts'
import { type Fields, listOf, toObject } from '../fields.ts'
import { cutLists, cutTo } from './cut-lists.ts'
import { documentFields, withFittingDocuments } from './documents.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { keepSums } from './keep-sums.ts'

/** Lists that may be cut: a part is still correct. */
const LISTS = ['data', 'validators', 'positions', 'delegators', 'epochs'] as const

/** Lists that are redundant or optional: cut first, in this order, down to empty. */
const EXTRAS: readonly Extra[] = [
  { path: ['explanation', 'curves'], goes: 'whole' },
  { path: ['timeline'], goes: 'whole' },
  // The caller knows its positions, or gets them from the tool `positions`.
  { path: ['currentPositions'], goes: 'in part' },
  { path: ['explanation', 'chosen'], goes: 'whole' },
  // The calls contain the same.
  { path: ['steps'], goes: 'whole' },
  // Alternatives that were not chosen.
  { path: ['alternatives'], goes: 'whole' },
]

type Extra = {
  readonly path: readonly [outer: string, inner?: string]
  readonly goes: 'whole' | 'in part'
}

/** The calls of a plan or split: cut last, because only the whole list achieves the result. */
const NEEDED: readonly (Extra & { readonly by: string })[] = [
  { path: ['calls'], goes: 'in part', by: 'plan' },
  { path: ['allocations'], goes: 'in part', by: 'split' },
]

/** What needs the complete list; undefined: a part is still correct. */
export const neededBy = (list: string): string | undefined =>
  NEEDED.find(({ path: [name] }) => name === list)?.by

/** Lists that are usually short. */
const SELDOM_LONG = ['results', 'rules', 'broken', 'created', 'changed', 'consumed'] as const

/** Lists of ids that the caller has sent itself: the first few show which kind of id is meant. */
const ECHOES = ['unknown'] as const

const ECHOED_IDS = 5

/** Whether an answer with these fields may be shortened. */
export const canBeShortened = (fields: Fields): boolean =>
  documentFields(fields).length > 0 ||
  [...EXTRAS, ...NEEDED].some(({ path: [outer] }) => outer in fields) ||
  [...LISTS, ...SELDOM_LONG].some((name) => toObject(fields[name])['type'] === 'array') ||
  // The rules of one name many validators.
  'policy' in fields

/** Token budget of lists, and of documents if one of two is enough. */
const USUAL_TOKENS = 1_400

/** Token limit of any answer, without the hint on what is left out. */
export const MAX_TOKENS = 1_850

/** Some clients give a model the JSON. It may cost this many times as much as the text. */
const JSON_FACTOR = 2

export type Shortened = {
  readonly answer: Fields
  /** Items removed from each list, and what they add to a sum; empty if the answer is complete. */
  readonly omitted: { readonly [list: string]: number | string }
  /** Documents that were left out, and the remaining one with the same content, if any. */
  readonly documents: Omit<ReturnType<typeof withFittingDocuments>, 'answer'>
}

type Needs = {
  readonly textOf: (answer: unknown) => string
  /** How to get the rest, if the answer has a page of a list. */
  readonly part?: ListPart | undefined
  /** The fields of the answer that sum up its lists. */
  readonly sums?: readonly ListSum[] | undefined
}

/** Shortens an answer to the token budget. */
export function shortenAnswer(answer: Fields, { textOf, part, sums = [] }: Needs): Shortened {
  const tokensOf = (shown: Fields) =>
    Math.max(estimateTokens(textOf(shown)), estimateTokens(JSON.stringify(shown)) / JSON_FACTOR)
  const few = { ...answer, ...firstEchoes(answer) }
  const { kept, left } = withoutExtras(few, { extras: EXTRAS, most: USUAL_TOKENS, tokensOf })
  const listed = withShortLists(kept, tokensOf, part)
  const { answer: built, ...documents } = withFittingDocuments(listed, {
    textOf,
    usual: USUAL_TOKENS,
    most: MAX_TOKENS,
  })
  const short = cutLists(built, (one) => tokensOf(one) <= MAX_TOKENS)
  const { kept: shown, left: needed } = withoutExtras(short.kept, {
    extras: NEEDED,
    most: MAX_TOKENS,
    tokensOf,
  })
  const gone = Object.fromEntries(documents.leftOut.map((name) => [name, 1]))
  const missing = { ...left, ...short.left, ...omittedFrom(answer, shown), ...gone, ...needed }
  const { kept: whole, left: unlisted } = keepSums(answer, shown, sums)
  return { answer: whole, omitted: { ...missing, ...unlisted }, documents }
}

/** The lists of echoes that are too long, cut. */
const firstEchoes = (answer: Fields): Fields =>
  Object.fromEntries(
    ECHOES.filter((name) => listOf(answer[name]).length > ECHOED_IDS).map((name) => [
      name,
      listOf(answer[name]).slice(0, ECHOED_IDS),
    ]),
  )

type TokensOf = (shown: Fields) => number

/** Cuts the longest list until the text fits. */
function withShortLists(answer: Fields, tokensOf: TokensOf, part: ListPart | undefined): Fields {
  let shown = answer
  for (;;) {
    const tokens = tokensOf(shown)
    const longest = longestList(shown)
    if (tokens <= USUAL_TOKENS || longest === undefined) return shown
    const { name, items } = longest
    const count = Math.max(1, fitting(items.length, USUAL_TOKENS / tokens))
    shown = part?.items === name ? firstOfPage(shown, part, count) : { ...shown, [name]: cutTo(items, count) }
  }
}

/** At least one item fewer, and as many as would fit if all had the same length. */
const fitting = (count: number, share: number): number => Math.min(count - 1, Math.floor(count * share))

/** Makes the cursor continue after the last item shown. */
const firstOfPage = (answer: Fields, { items, cursorAfter }: ListPart, count: number): Fields => ({
  ...answer,
  [items]: listOf(answer[items]).slice(0, count),
  nextCursor: cursorAfter(count),
})

type Room = { readonly extras: readonly Extra[]; readonly most: number; readonly tokensOf: TokensOf }

/** A removed list becomes empty, so that the answer keeps its schema. */
function withoutExtras(answer: Fields, { extras, most, tokensOf }: Room) {
  let kept = answer
  const left: Record<string, number> = {}
  for (const { path, goes } of extras) {
    const [outer, inner] = path
    const holder = inner === undefined ? answer : toObject(answer[outer])
    const all = listOf(holder[inner ?? outer])
    let count = all.length
    for (;;) {
      const tokens = tokensOf(kept)
      if (tokens <= most || count === 0) break
      count = goes === 'whole' ? 0 : fitting(count, most / tokens)
      const items = all.slice(0, count)
      kept = { ...kept, [outer]: inner === undefined ? items : { ...toObject(kept[outer]), [inner]: items } }
    }
    if (count < all.length) left[path.join('.')] = all.length - count
  }
  return { kept, left }
}

function longestList(answer: Fields) {
  return (
    LISTS.map((name) => ({ name, items: listOf(answer[name]) }))
      // Plain values may be the head of other lists, such as the epochs of histories.
      .filter(({ items }) => items.length > 1 && Object.keys(toObject(items[0])).length > 0)
      .toSorted((a, b) => b.items.length - a.items.length)[0]
  )
}

function omittedFrom(whole: Fields, shown: Fields): Shortened['omitted'] {
  return Object.fromEntries(
    [...LISTS, ...ECHOES]
      .map((name) => [name, listOf(whole[name]).length - listOf(shown[name]).length] as const)
      .filter(([, count]) => count > 0),
  )
}

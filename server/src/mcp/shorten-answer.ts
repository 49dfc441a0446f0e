import type { ListPart } from '#api/answer.ts'

/** Lists that may be cut: a part of them is still true. A plan's calls or a transaction's commands may not. */
const LISTS = [
  'data',
  'validators',
  'positions',
  'delegators',
  'alternatives',
  'allocations',
  'epochs',
] as const

/**
 * Lists that are drawn or told in other words elsewhere in the same answer: cut before any other, in this order, and
 * down to nothing. What leads on is not among them: `calls` carries a plan out, `arguments` are those of a transaction.
 */
const EXTRAS: readonly Extra[] = [
  { path: ['explanation', 'curves'], goes: 'whole' },
  { path: ['timeline'], goes: 'whole' },
  // What is held is known to who asks, or to the tool positions.
  { path: ['currentPositions'], goes: 'in part' },
  { path: ['explanation', 'chosen'], goes: 'whole' },
  // The calls make them.
  { path: ['steps'], goes: 'whole' },
]

type Extra = {
  readonly path: readonly [outer: string, inner?: string]
  readonly goes: 'whole' | 'in part'
}

/** A transaction as neutral commands, which the sandbox runs, and in the chain SDK's JSON, which a wallet signs. */
const DOCUMENTS = ['commands', 'transaction'] as const

type Fields = { readonly [key: string]: unknown }

/** Whether an answer with these fields, given as JSON Schemas, may be shortened. */
export const canBeShortened = (fields: Fields): boolean =>
  EXTRAS.some(({ path: [outer] }) => outer in fields) ||
  DOCUMENTS.every((name) => name in fields) ||
  LISTS.some((name) => toObject(fields[name])['type'] === 'array')

/** The fields that a short answer may lack. */
export const mayBeMissing = (fields: Fields): readonly string[] =>
  DOCUMENTS.every((name) => name in fields) ? DOCUMENTS : []

/** About 1,500 tokens of text: ids and amounts take a token for every two characters. */
const BUDGET_CHARACTERS = 2_700

/** The same of a transaction, whose JSON takes fewer. */
const BUILT_CHARACTERS = 3_900

/** About 2,000 tokens of what is never cut: an answer that is longer because of it says so. */
const UNCUT_CHARACTERS = { calls: 3_800, commands: 5_000, transaction: 5_000 } as const

export type Shortened = {
  readonly answer: Fields
  /** How many items each list lost; empty when the answer is whole. */
  readonly omitted: { readonly [list: string]: number }
  /** Of two documents that say the same: the one that was left out, and the one that stays. */
  readonly leftOut?: { readonly document: string; readonly stays: string }
  /** What makes it longer than it should be: a part is no use to anybody. */
  readonly uncut?: string
}

type Needs = {
  readonly textOf: (answer: unknown) => string
  /** Where the answer has a page of a list: how the rest is reached. */
  readonly part?: ListPart | undefined
}

/** Cuts the longest list until the text fits the budget, so that a small question gets a small answer. */
export function shortenAnswer(answer: Fields, { textOf, part }: Needs): Shortened {
  const { kept, left } = withoutExtras(answer, textOf)
  let shown = kept
  for (;;) {
    const { length } = textOf(shown)
    const longest = longestList(shown)
    if (length <= BUDGET_CHARACTERS || longest === undefined) break
    const { name, items } = longest
    const count = Math.max(1, fitting(items.length, length))
    shown = part?.items === name ? firstOfPage(shown, part, count) : { ...shown, [name]: cut(items, count) }
  }
  const omitted = { ...left, ...omittedFrom(answer, shown) }
  const { length } = textOf(shown)
  if (length > BUILT_CHARACTERS && DOCUMENTS.every((name) => shown[name] !== undefined))
    return withOneDocument(shown, omitted, textOf)
  return { answer: shown, omitted, ...uncutIn(shown, length) }
}

/** At least one fewer, and as many as would fit if each were of the same length. */
const fitting = (count: number, length: number): number =>
  Math.min(count - 1, Math.floor((count * BUDGET_CHARACTERS) / length))

/** The page goes on after the last item that is shown. */
const firstOfPage = (answer: Fields, { items, cursorAfter }: ListPart, count: number): Fields => ({
  ...answer,
  [items]: listOf(answer[items]).slice(0, count),
  nextCursor: cursorAfter(count),
})

/** Of a history the newest part is wanted. */
const cut = (items: readonly unknown[], count: number): readonly unknown[] =>
  isOldestFirst(items) ? items.slice(-count) : items.slice(0, count)

function isOldestFirst(items: readonly unknown[]): boolean {
  const epochOf = (item: unknown) => Number(toObject(item)['epoch'])
  return epochOf(items[0]) < epochOf(items.at(-1))
}

/** A document has to be whole to be used. Where two are too long, the one that nobody signs or runs there goes. */
function withOneDocument(answer: Fields, omitted: Shortened['omitted'], textOf: Needs['textOf']): Shortened {
  const isSandbox = toObject(answer['intent'])['network'] === 'sandbox'
  const [stays, document] = isSandbox ? DOCUMENTS : DOCUMENTS.toReversed()
  const { [document]: _, ...rest } = answer
  const shorter = { answer: rest, omitted: { ...omitted, [document]: 1 }, leftOut: { document, stays } }
  return { ...shorter, ...uncutIn(rest, textOf(rest).length) }
}

function uncutIn(answer: Fields, length: number): Pick<Shortened, 'uncut'> {
  const [uncut] = Object.entries(UNCUT_CHARACTERS).filter(
    ([name, most]) => answer[name] !== undefined && length > most,
  )
  return uncut ? { uncut: uncut[0] } : {}
}

/** A list that is left out becomes empty, so that the answer keeps its form. */
function withoutExtras(answer: Fields, textOf: Needs['textOf']) {
  let kept = answer
  const left: Record<string, number> = {}
  for (const { path, goes } of EXTRAS) {
    const [outer, inner] = path
    const holder = inner === undefined ? answer : toObject(answer[outer])
    const all = listOf(holder[inner ?? outer])
    let count = all.length
    for (;;) {
      const { length } = textOf(kept)
      if (length <= BUDGET_CHARACTERS || count === 0) break
      count = goes === 'whole' ? 0 : fitting(count, length)
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
    LISTS.map((name) => [name, listOf(whole[name]).length - listOf(shown[name]).length] as const).filter(
      ([, count]) => count > 0,
    ),
  )
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const toObject = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

/** Lists that may be cut: a part of them is still true. A plan's steps or a transaction's commands may not. */
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
 * Lists that are drawn or told in other words elsewhere in the same answer: left out first, as a whole. Some of a plan's
 * calls without the others would pass for the whole plan.
 */
const EXTRAS = [
  ['explanation', 'curves'],
  ['timeline'],
  ['calls'],
  ['explanation', 'chosen'],
  // Those of the main call, which is among the commands.
  ['arguments'],
] as const

/** A transaction as neutral commands, which the sandbox runs, and in the chain SDK's JSON, which a wallet signs. */
const DOCUMENTS = ['commands', 'transaction'] as const

/** Whether an answer with these fields, given as JSON Schemas, may be shortened. */
export const canBeShortened = (fields: Shortened['answer']): boolean =>
  EXTRAS.some(([outer]) => outer in fields) ||
  DOCUMENTS.every((name) => name in fields) ||
  LISTS.some((name) => toObject(fields[name])['type'] === 'array')

/** About 1,500 tokens of text: ids and amounts take a token for every two characters. */
const BUDGET_CHARACTERS = 2_700

/** The same of a transaction, whose JSON takes fewer. */
const BUILT_CHARACTERS = 3_900

export type Shortened = {
  readonly answer: { readonly [key: string]: unknown }
  /** How many items each list lost; empty when the answer is whole. */
  readonly omitted: { readonly [list: string]: number }
  /** Of two documents that say the same: the one that was left out, and the one that stays. */
  readonly leftOut?: { readonly document: string; readonly stays: string }
}

/** Cuts the longest list until the text fits the budget, so that a small question gets a small answer. */
export function shortenAnswer(
  answer: { readonly [key: string]: unknown },
  textOf: (answer: unknown) => string,
): Shortened {
  const { kept, left } = withoutExtras(answer, textOf)
  let shown = kept
  for (;;) {
    const { length } = textOf(shown)
    const longest = longestList(shown)
    if (length <= BUDGET_CHARACTERS || longest === undefined) break
    const { name, items } = longest
    const fitting = Math.floor((items.length * BUDGET_CHARACTERS) / length)
    const count = Math.max(1, Math.min(items.length - 1, fitting))
    // The cursor leads behind the rows that are cut here.
    const { nextCursor: _, ...rest } = shown
    shown = { ...rest, [name]: isOldestFirst(items) ? items.slice(-count) : items.slice(0, count) }
  }
  const omitted = { ...left, ...omittedFrom(answer, shown) }
  return textOf(shown).length > BUILT_CHARACTERS
    ? withOneDocument(shown, omitted)
    : { answer: shown, omitted }
}

/** A document has to be whole to be used. Where two are too long, the one that nobody signs or runs there goes. */
function withOneDocument(answer: Shortened['answer'], omitted: Shortened['omitted']): Shortened {
  if (DOCUMENTS.some((name) => answer[name] === undefined)) return { answer, omitted }
  const isSandbox = toObject(answer['intent'])['network'] === 'sandbox'
  const [stays, document] = isSandbox ? DOCUMENTS : DOCUMENTS.toReversed()
  const { [document]: _, ...rest } = answer
  return { answer: rest, omitted: { ...omitted, [document]: 1 }, leftOut: { document, stays } }
}

/** A list that is left out becomes empty, so that the answer keeps its form. */
function withoutExtras(answer: Shortened['answer'], textOf: (answer: unknown) => string) {
  let kept = answer
  const left: Record<string, number> = {}
  for (const path of EXTRAS) {
    if (textOf(kept).length <= BUDGET_CHARACTERS) break
    const [outer, inner] = path
    const holder = inner === undefined ? kept : toObject(kept[outer])
    const items = listOf(holder[inner ?? outer])
    if (items.length === 0) continue
    left[path.join('.')] = items.length
    kept = { ...kept, [outer]: inner === undefined ? [] : { ...holder, [inner]: [] } }
  }
  return { kept, left }
}

function longestList(answer: { readonly [key: string]: unknown }) {
  return (
    LISTS.map((name) => ({ name, items: listOf(answer[name]) }))
      // Plain values may be the head of other lists, such as the epochs of histories.
      .filter(({ items }) => items.length > 1 && Object.keys(toObject(items[0])).length > 0)
      .toSorted((a, b) => b.items.length - a.items.length)[0]
  )
}

function omittedFrom(whole: Shortened['answer'], shown: Shortened['answer']): Shortened['omitted'] {
  return Object.fromEntries(
    LISTS.map((name) => [name, listOf(whole[name]).length - listOf(shown[name]).length] as const).filter(
      ([, count]) => count > 0,
    ),
  )
}

/** Of a history the newest part is wanted. */
function isOldestFirst(items: readonly unknown[]): boolean {
  const epochOf = (item: unknown) => Number(toObject(item)['epoch'])
  return epochOf(items[0]) < epochOf(items.at(-1))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const toObject = (value: unknown): Shortened['answer'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

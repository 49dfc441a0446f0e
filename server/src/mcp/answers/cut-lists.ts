import { type Fields, toObject } from '../fields.ts'

/** Lists and documents that are useless or wrong in part: never cut here. */
const WHOLE: ReadonlySet<string> = new Set([
  'calls',
  'allocations',
  'arguments',
  'commands',
  'transaction',
  'intent',
])

type Path = readonly (string | number)[]
type List = { readonly path: Path; readonly items: readonly unknown[] }

/** Cuts the longest list at any depth until the answer fits; at least one item of each list stays. */
export function cutLists(answer: Fields, fits: (shown: Fields) => boolean) {
  let kept = answer
  while (!fits(kept)) {
    const longest = longestOf(listsIn(kept, []))
    if (longest === undefined) break
    const { path, items } = longest
    kept = toObject(replaceAt(kept, path, cutTo(items, Math.ceil(items.length / 2))))
  }
  return { kept, left: countRemoved(answer, kept, []) }
}

/** If a list is long because of a nested list, the nested one is cut instead. */
function longestOf(lists: readonly List[]): List | undefined {
  const byLength = lists
    .map((list) => ({ ...list, length: JSON.stringify(list.items).length }))
    .toSorted((a, b) => b.length - a.length)
  const long = byLength.filter(({ length }) => SHORTEST_PART * length > (byLength[0]?.length ?? 0))
  return long.find(
    ({ path }) => !long.some((other) => other.path.length > path.length && startsWith(other.path, path)),
  )
}

/** A nested list counts as the cause if it is longer than the longest list divided by this. */
const SHORTEST_PART = 8

const startsWith = (path: Path, start: Path): boolean => start.every((step, at) => path[at] === step)

/** The number of items removed from each list, by its path. */
function countRemoved(whole: unknown, kept: unknown, path: Path): Record<string, number> {
  if (whole === kept || typeof whole !== 'object' || whole === null) return {}
  if (!Array.isArray(whole) || !Array.isArray(kept)) {
    const inner = Object.entries(whole).map(([key, value]) =>
      countRemoved(value, toObject(kept)[key], [...path, key]),
    )
    return Object.assign({}, ...inner)
  }
  const lost = whole.length - kept.length
  const first = isOldestFirst(whole) ? lost : 0
  const inner = kept.map((item, at) => countRemoved(whole[first + at], item, [...path, at]))
  return Object.assign({}, ...inner, lost > 0 && { [nameOf(path)]: lost })
}

/** Keeps `count` items: the newest of a history, otherwise the first. */
export const cutTo = (items: readonly unknown[], count: number): readonly unknown[] =>
  isOldestFirst(items) ? items.slice(-count) : items.slice(0, count)

function isOldestFirst(items: readonly unknown[]): boolean {
  const epochOf = (item: unknown) => Number(toObject(item)['epoch'])
  return epochOf(items[0]) < epochOf(items.at(-1))
}

/** Every list with more than one item, except plain numbers, which are read by position beside another list. */
function listsIn(value: unknown, path: Path): readonly List[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Array.isArray(value)
    ? value.flatMap((item, at) => listsIn(item, [...path, at]))
    : Object.entries(value)
        .filter(([key]) => !WHOLE.has(key))
        .flatMap(([key, item]) => listsIn(item, [...path, key]))
  return Array.isArray(value) && value.length > 1 && !value.every(isFigure)
    ? [...inner, { path, items: value }]
    : inner
}

const isFigure = (value: unknown): boolean => value === null || ['number', 'boolean'].includes(typeof value)

function replaceAt(value: unknown, [first, ...rest]: Path, items: readonly unknown[]): unknown {
  if (first === undefined) return items
  if (Array.isArray(value))
    return value.map((item, at) => (at === first ? replaceAt(item, rest, items) : item))
  return { ...toObject(value), [first]: replaceAt(toObject(value)[first], rest, items) }
}

/** The path as in JavaScript: `rules[2].validators`. */
const nameOf = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('')

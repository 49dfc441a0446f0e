import { type Fields, toObject } from './fields.ts'

/** What a part of would do something else than the whole: never cut here. */
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

/** Cuts whatever list is the longest, wherever it stands, until the answer fits; at least one item of each stays. */
export function cutLists(answer: Fields, fits: (shown: Fields) => boolean) {
  let kept = answer
  const left: Record<string, number> = {}
  while (!fits(kept)) {
    const longest = longestOf(listsIn(kept, []))
    if (longest === undefined) break
    const { path, items } = longest
    const count = Math.ceil(items.length / 2)
    kept = toObject(replaceAt(kept, path, items.slice(0, count)))
    const name = nameOf(path)
    left[name] = (left[name] ?? 0) + items.length - count
  }
  return { kept, left }
}

/** The last that is more than half as long as the longest: of a list that is long because of one within it, the inner one. */
function longestOf(lists: readonly List[]): List | undefined {
  const byLength = lists
    .map((list) => ({ list, length: JSON.stringify(list.items).length }))
    .toSorted((a, b) => b.length - a.length)
  const [longest] = byLength
  return byLength.findLast(({ length }) => 2 * length > (longest?.length ?? 0))?.list
}

/** Every list with more than one item. */
function listsIn(value: unknown, path: Path): readonly List[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Array.isArray(value)
    ? value.flatMap((item, at) => listsIn(item, [...path, at]))
    : Object.entries(value)
        .filter(([key]) => !WHOLE.has(key))
        .flatMap(([key, item]) => listsIn(item, [...path, key]))
  return Array.isArray(value) && value.length > 1 ? [...inner, { path, items: value }] : inner
}

function replaceAt(value: unknown, [first, ...rest]: Path, items: readonly unknown[]): unknown {
  if (first === undefined) return items
  if (Array.isArray(value))
    return value.map((item, at) => (at === first ? replaceAt(item, rest, items) : item))
  return { ...toObject(value), [first]: replaceAt(toObject(value)[first], rest, items) }
}

/** As a program writes it: `rules[2].validators`. */
const nameOf = (path: Path): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('')

import { Misuse } from '../command.ts'
import { meant } from '../meant.ts'
import { isObject } from '../render/generic-view.ts'

type Fields = Readonly<Record<string, unknown>>

/** Keeps the named fields of an answer; a field that it does not have itself is looked for in the items of its lists. */
export function selectFields(data: unknown, names: readonly string[]): unknown {
  if (!isObject(data)) return data
  const lists = Object.entries(data).filter(([, value]) => isListOfObjects(value))
  const ofItems = new Set(lists.flatMap(([, list]) => toItems(list).flatMap(Object.keys)))
  const isEmpty = Object.values(data).some((value) => Array.isArray(value) && value.length === 0)
  for (const name of names) {
    if (name in data || ofItems.has(name) || isEmpty) continue
    const known = [...Object.keys(data), ...ofItems]
    throw new Misuse(`The answer has no field "${name}".${meant(name, known)} It has: ${known.join(', ')}.`)
  }
  const inner = names.filter((name) => !(name in data))
  const kept = Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (names.includes(name)) return [[name, value]]
    if (inner.length === 0 || !Array.isArray(value)) return []
    return [[name, toItems(value).map((item) => pick(item, inner))]]
  })
  return Object.fromEntries(kept)
}

const pick = (item: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]]))

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.some(isObject)

const toItems = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

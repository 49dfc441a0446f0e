/** Capacity of the cache of parsed lists: more than twice the lists of one kind in a world. */
const MAX_KEPT = 1_000

type ListText<T> = {
  readonly write: (list: readonly T[]) => string
  readonly read: (text: string) => readonly T[]
}

/**
 * Caches the text form of immutable lists in both directions: a list is serialized once although the world is stored
 * after every change, and parsed once although the world is loaded after every change by another instance.
 */
export function listText<T>({ write, read }: ListText<T>): ListText<T> {
  const texts = new WeakMap<readonly T[], string>()
  /** LRU cache: ascending by last use. */
  const lists = new Map<string, readonly T[]>()
  return {
    write(list) {
      const text = texts.get(list) ?? write(list)
      texts.set(list, text)
      return text
    },
    read(text) {
      const list = lists.get(text) ?? read(text)
      lists.delete(text)
      lists.set(text, list)
      texts.set(list, text)
      const [oldest] = lists.keys()
      if (lists.size > MAX_KEPT && oldest !== undefined) lists.delete(oldest)
      return list
    },
  }
}

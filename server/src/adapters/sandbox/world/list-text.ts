/** Most lists of a kind that are kept after they were read: more than twice those of a world. */
const MOST_KEPT = 1_000

type ListText<T> = {
  readonly write: (list: readonly T[]) => string
  readonly read: (text: string) => readonly T[]
}

/**
 * The text form of lists that never change: each is written once, and reused whenever the world is stored again; and it
 * is read once, although the world is loaded again after every change that another instance makes.
 */
export function listText<T>({ write, read }: ListText<T>): ListText<T> {
  const texts = new WeakMap<readonly T[], string>()
  /** The one used last is the last one. */
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
      if (lists.size > MOST_KEPT && oldest !== undefined) lists.delete(oldest)
      return list
    },
  }
}

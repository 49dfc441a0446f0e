import type { Exchange } from './exchange.ts'

/** The exchanges in flight, oldest first. */
export type Arrivals = Iterable<Exchange> & {
  readonly isEmpty: () => boolean
  add(exchange: Exchange): void
  remove(exchange: Exchange): void
}

/** A list linked through its members: a Set would build its table anew every few requests. */
export function listArrivals(): Arrivals {
  let oldest: Exchange | undefined
  let newest: Exchange | undefined
  return {
    isEmpty: () => oldest === undefined,
    add(exchange) {
      exchange.older = newest
      if (newest === undefined) oldest = exchange
      else newest.newer = exchange
      newest = exchange
    },
    remove(exchange) {
      const { older, newer } = exchange
      if (older === undefined) oldest = newer
      else older.newer = newer
      if (newer === undefined) newest = older
      else newer.older = older
      // Whoever still holds what is over must not hold all that came after it.
      exchange.older = undefined
      exchange.newer = undefined
    },
    *[Symbol.iterator]() {
      // The member that is looked at may be removed meanwhile.
      for (let at = oldest, next = at?.newer; at !== undefined; at = next, next = at?.newer) yield at
    },
  }
}

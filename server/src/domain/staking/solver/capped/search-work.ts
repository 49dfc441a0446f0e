/** The work that searches may still do: curves times prices or steps. All searches of one question draw on it. */
export type SearchWork = { units: number }

/** About 0.2 seconds. The median search with many overlapping groups takes less than 4 ms. */
const MOST = 200_000

/** The work that is left for all searches of the running computation together. */
let budget = Number.POSITIVE_INFINITY

/** A computation needs more work than `withinWork` allows. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/**
 * Computes with at most this much work in all its searches together; more throws `TooMuchWork`. Searches are
 * synchronous, so the budget is a variable of this module, not a parameter of every function that leads to a search.
 */
export function withinWork<T>(units: number, compute: () => T): T {
  const outer = budget
  budget = units
  try {
    return compute()
  } finally {
    budget = outer
  }
}

export function newSearchWork(units = MOST): SearchWork {
  let left = units
  return {
    get units() {
      return left
    },
    set units(next) {
      budget -= left - next
      left = next
      if (budget < 0) throw new TooMuchWork('The searches need more work than they may do here.')
    },
  }
}

/**
 * Half of the remaining work, for one of several searches. It is taken from the common budget, and the rest is left
 * for the next searches.
 */
export function halfOf(work: SearchWork): SearchWork {
  const kept = work.units / 2
  return {
    get units() {
      return work.units - kept
    },
    set units(left) {
      work.units = left + kept
    },
  }
}

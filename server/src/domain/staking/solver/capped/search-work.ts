/** The work that searches may still do: curves times prices or steps. All searches of one question draw on it. */
export type SearchWork = { units: number }

/** About 0.2 seconds. The median search with many overlapping groups takes less than 4 ms. */
const MOST = 200_000

export const newSearchWork = (units = MOST): SearchWork => ({ units })

/** Half of what is left, for one of several searches: it draws on the whole, and leaves some for the next ones. */
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

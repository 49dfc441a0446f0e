import { getHeapStatistics } from 'node:v8'

/** Upper bound: the cache is effective for this many agents in use at the same time. */
const ENOUGH = 131_072
/** An entry takes about 1 KB in all caches together, so the caches take an eighth of the heap. */
const HEAP_PER_ENTRY = 8_192

/** Most agents whose records, counters and keys are cached. */
export const mostCachedAgents = (heapLimit = getHeapStatistics().heap_size_limit): number =>
  Math.min(ENOUGH, Math.floor(heapLimit / HEAP_PER_ENTRY))

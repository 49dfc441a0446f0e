/** The table is split into shards that grow one by one, so that no request waits for the whole table. */
const SHARDS = 64
const FIRST_SLOTS = 64
const FULL = 0.6

/**
 * Hits by key, for up to millions of keys, in 12 bytes each. A key is known by two seeded 32-bit hashes: with a
 * million keys the chance that any two are mistaken for each other is below one in ten million.
 */
type HitTable = {
  /** Adds `hits` to the key and returns its total. */
  add(key: KeyHash, hits: number): number
  hits(key: KeyHash): number
}

export type KeyHash = { readonly low: number; readonly high: number }

export function hashKey(key: string, seed: number): KeyHash {
  return { low: hashOf(key, seed), high: hashOf(key, ~seed) }
}

export function hitTable(): HitTable {
  const shards = Array.from({ length: SHARDS }, () => openShard())
  return {
    // A shard finds its slot by `low`, so `high` is what chooses the shard.
    add: ({ low, high }, hits) => shards[high % SHARDS]?.add(low, high, hits) ?? 0,
    hits: ({ low, high }) => shards[high % SHARDS]?.hits(low, high) ?? 0,
  }
}

function openShard() {
  let lows = new Uint32Array(FIRST_SLOTS)
  let highs = new Uint32Array(FIRST_SLOTS)
  let counts = new Uint32Array(FIRST_SLOTS)
  let used = 0

  function slotOf(low: number, high: number): number {
    const mask = counts.length - 1
    let slot = low & mask
    while (counts[slot] !== 0 && (lows[slot] !== low || highs[slot] !== high)) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const before = { lows, highs, counts }
    lows = new Uint32Array(before.counts.length * 2)
    highs = new Uint32Array(before.counts.length * 2)
    counts = new Uint32Array(before.counts.length * 2)
    before.counts.forEach((count, at) => {
      if (count > 0) put(slotOf(before.lows[at] ?? 0, before.highs[at] ?? 0), at, count)
    })
    function put(slot: number, at: number, count: number): void {
      lows[slot] = before.lows[at] ?? 0
      highs[slot] = before.highs[at] ?? 0
      counts[slot] = count
    }
  }

  return {
    add(low: number, high: number, hits: number): number {
      if (used > counts.length * FULL) grow()
      const slot = slotOf(low, high)
      const total = (counts[slot] ?? 0) + hits
      if (counts[slot] === 0) used += 1
      lows[slot] = low
      highs[slot] = high
      counts[slot] = total
      return total
    },
    hits: (low: number, high: number): number => counts[slotOf(low, high)] ?? 0,
  }
}

/** Murmur's mixing, byte by byte: quick, even, and unpredictable without the seed. */
function hashOf(text: string, seed: number): number {
  let hash = seed | 0
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0xc2b2ae35)
  return (hash ^ (hash >>> 15)) >>> 0
}

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

export function hitTable(): HitTable {
  const shards = Array.from({ length: SHARDS }, () => openShard())
  return {
    // `high` chooses the shard, because `low` chooses the slot within it.
    add: ({ low, high }, hits) => shards[high % SHARDS]?.add(low, high, hits) ?? 0,
    hits: ({ low, high }) => shards[high % SHARDS]?.hits(low, high) ?? 0,
  }
}

/** The layout of a slot: three adjacent numbers, so that a request touches one cache line instead of three. */
const SLOT = { low: 0, high: 1, count: 2, size: 3 }

function openShard() {
  let numbers = new Uint32Array(FIRST_SLOTS * SLOT.size)
  let slots = FIRST_SLOTS
  let used = 0

  /** The offset of the slot of a key (linear probing); its count is 0 if the key is not in the table. */
  function find(low: number, high: number): number {
    const mask = slots - 1
    let slot = low & mask
    for (;;) {
      const at = slot * SLOT.size
      const isFree = numbers[at + SLOT.count] === 0
      if (isFree || (numbers[at] === low && numbers[at + SLOT.high] === high)) return at
      slot = (slot + 1) & mask
    }
  }

  function put(low: number, high: number, hits: number): number {
    const at = find(low, high)
    const before = numbers[at + SLOT.count] ?? 0
    if (before === 0) used += 1
    numbers[at] = low
    numbers[at + SLOT.high] = high
    numbers[at + SLOT.count] = before + hits
    return before + hits
  }

  function grow(): void {
    const before = numbers
    slots *= 2
    used = 0
    numbers = new Uint32Array(slots * SLOT.size)
    for (let at = 0; at < before.length; at += SLOT.size) {
      const count = before[at + SLOT.count] ?? 0
      if (count > 0) put(before[at] ?? 0, before[at + SLOT.high] ?? 0, count)
    }
  }

  return {
    add(low: number, high: number, hits: number): number {
      if (used > slots * FULL) grow()
      return put(low, high, hits)
    },
    hits: (low: number, high: number): number => numbers[find(low, high) + SLOT.count] ?? 0,
  }
}

/** Murmur mixing, character by character: fast, uniform, and unpredictable without the seed. */
export function hashKey(key: string, seed: number): KeyHash {
  let low = seed | 0
  let high = ~seed
  for (let at = 0; at < key.length; at += 1) {
    const character = key.charCodeAt(at)
    low = mix(low, character)
    high = mix(high, character)
  }
  return { low: finish(low), high: finish(high) }
}

function mix(hash: number, character: number): number {
  const mixed = Math.imul(hash ^ character, 0x5bd1e995)
  return mixed ^ (mixed >>> 15)
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
  const twice = Math.imul(mixed ^ (mixed >>> 16), 0xc2b2ae35)
  return (twice ^ (twice >>> 15)) >>> 0
}

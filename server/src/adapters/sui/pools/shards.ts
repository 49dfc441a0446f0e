/**
 * How Walrus gives out its shards: by the method of D'Hondt over the stakes of the active set, so that each shard goes to
 * the node with the most stake per shard. No node gets more than a tenth; in a small committee, where that would not add
 * up to all shards, more.
 */
const LIMIT_DENOMINATOR = 10
const FULL_SIZE = 20

export function mostShards(nodes: number, shards: number): number {
  if (nodes >= FULL_SIZE) return Math.floor(shards / LIMIT_DENOMINATOR)
  return Math.min(shards, Math.ceil((shards * FULL_SIZE) / (nodes * LIMIT_DENOMINATOR)))
}

/** The shards of each node, in the order of the stakes; of equals the first comes first. */
export function apportionShards(stakes: readonly bigint[], shards: number): readonly number[] {
  const total = stakes.reduce((sum, stake) => sum + stake, 0n)
  const given = stakes.map(() => 0)
  if (total === 0n) return given
  const most = mostShards(stakes.length, shards)
  // Who has this much stake per shard gets it for sure: most of the work is done by division.
  const sure = total / BigInt(shards + 1) + 1n
  stakes.forEach((stake, index) => {
    given[index] = Math.min(most, Number(stake / sure))
  })
  for (let left = shards - given.reduce((sum, one) => sum + one, 0); left > 0; left -= 1) {
    const next = nextInLine(stakes, given, most)
    if (next === undefined) break
    given[next] = (given[next] ?? 0) + 1
  }
  return given
}

function nextInLine(stakes: readonly bigint[], given: readonly number[], most: number): number | undefined {
  let best: { readonly index: number; readonly stake: bigint; readonly parts: bigint } | undefined
  stakes.forEach((stake, index) => {
    const parts = BigInt((given[index] ?? 0) + 1)
    if (parts > BigInt(most)) return
    if (best === undefined || stake * best.parts > best.stake * parts) best = { index, stake, parts }
  })
  return best?.index
}

/** The least stake per shard that got one: with less than this a node has no seat. */
export function shardPrice(stakes: readonly bigint[], shards: number): bigint {
  const given = apportionShards(stakes, shards)
  const prices = stakes.flatMap((stake, index) => (given[index] ? [stake / BigInt(given[index])] : []))
  const [least = 0n] = prices.sort((a, b) => (a < b ? -1 : 1))
  return least
}

/**
 * Walrus assigns its shards by the D'Hondt method over the stakes of the active set: each shard goes to the node with
 * the most stake per shard. The limit per node is a tenth, or higher in a small committee, where a tenth each would
 * not add up to all shards.
 */
const LIMIT_DENOMINATOR = 10
const FULL_SIZE = 20

export function mostShards(nodes: number, shards: number): number {
  if (nodes >= FULL_SIZE) return Math.floor(shards / LIMIT_DENOMINATOR)
  return Math.min(shards, Math.ceil((shards * FULL_SIZE) / (nodes * LIMIT_DENOMINATOR)))
}

/** The shards of each node, in the order of `stakes`; tie-break: the first. */
export function apportionShards(stakes: readonly bigint[], shards: number): readonly number[] {
  const total = stakes.reduce((sum, stake) => sum + stake, 0n)
  const given = stakes.map(() => 0)
  if (total === 0n) return given
  const most = mostShards(stakes.length, shards)
  // A node with this much stake per shard certainly gets the shard, so a division hands out most of them.
  const sure = total / BigInt(shards + 1) + 1n
  stakes.forEach((stake, index) => {
    given[index] = Math.min(most, Number(stake / sure))
  })
  const about = stakes.map(Number)
  const perShard = about.map((stake, index) => stake / ((given[index] ?? 0) + 1))
  for (let left = shards - given.reduce((sum, one) => sum + one, 0); left > 0; left -= 1) {
    const next = nextShardWinner(stakes, perShard, given, most)
    if (next === undefined) break
    const held = (given[next] ?? 0) + 1
    given[next] = held
    perShard[next] = (about[next] ?? 0) / (held + 1)
  }
  return given
}

/** Quotients closer than this are compared as integers. */
const CLOSE = 1e-12

/** The node with the most stake per shard after one more shard; the first among equals. */
function nextShardWinner(
  stakes: readonly bigint[],
  perShard: readonly number[],
  given: readonly number[],
  most: number,
): number | undefined {
  let best: number | undefined
  for (let index = 0; index < stakes.length; index += 1) {
    if ((given[index] ?? 0) >= most) continue
    if (best === undefined || hasMore(index, best)) best = index
  }
  return best

  function hasMore(one: number, other: number): boolean {
    const [a, b] = [perShard[one] ?? 0, perShard[other] ?? 0]
    if (Math.abs(a - b) > CLOSE * b) return a > b
    if (given[one] === given[other]) return (stakes[one] ?? 0n) > (stakes[other] ?? 0n)
    const exact = (stake: number, parts: number) => (stakes[stake] ?? 0n) * BigInt((given[parts] ?? 0) + 1)
    return exact(one, other) > exact(other, one)
  }
}

/**
 * The least stake with which a joining node certainly gets a shard: more than the smallest quotient that won one,
 * because members come first among equals.
 */
export function leastForShard(stakes: readonly bigint[], shards: number): bigint {
  const given = apportionShards(stakes, shards)
  const prices = stakes.flatMap((stake, index) => (given[index] ? [stake / BigInt(given[index])] : []))
  const [least = 0n] = prices.sort((a, b) => (a < b ? -1 : 1))
  return least + 1n
}

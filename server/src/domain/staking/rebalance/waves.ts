/** Coins that arrive in one epoch. */
export type Arrival = { readonly atEpoch: number; readonly amount: bigint }

/** A target and the total it should get. Targets are filled in order. */
type Wanted<T> = { readonly target: T; readonly amount: bigint }

/** A stake made in one epoch, with the coins that have arrived by then. */
export type WaveStake<T> = { readonly target: T; readonly amount: bigint; readonly atEpoch: number }

/**
 * Stakes coins as soon as they arrive, the first target first. Every stake, and the rest that a target still lacks, is
 * `least` or more; coins that are too few wait for the next epoch with arrivals. `arrivals` and `wanted` must have the
 * same sum.
 */
export function stakeInWaves<T>(
  arrivals: readonly Arrival[],
  wanted: readonly Wanted<T>[],
  least: bigint,
): readonly WaveStake<T>[] {
  const missing = wanted.map(({ amount }) => amount)
  const stakes: WaveStake<T>[] = []
  let coins = 0n
  for (const { atEpoch, amount } of mergeByEpoch(arrivals)) {
    coins += amount
    for (const [index, { target }] of wanted.entries()) {
      const part = stakeable(coins, missing[index] ?? 0n, least)
      if (part === 0n) continue
      stakes.push({ target, amount: part, atEpoch })
      missing[index] = (missing[index] ?? 0n) - part
      coins -= part
    }
  }
  return stakes
}

function stakeable(coins: bigint, missing: bigint, least: bigint): bigint {
  if (coins >= missing) return missing
  const part = missing - coins < least ? missing - least : coins
  return part < least ? 0n : part
}

function mergeByEpoch(arrivals: readonly Arrival[]): readonly Arrival[] {
  const byEpoch = new Map<number, bigint>()
  for (const { atEpoch, amount } of arrivals) byEpoch.set(atEpoch, (byEpoch.get(atEpoch) ?? 0n) + amount)
  return [...byEpoch].map(([atEpoch, amount]) => ({ atEpoch, amount })).sort((a, b) => a.atEpoch - b.atEpoch)
}

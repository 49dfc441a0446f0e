import type { Target } from '../rebalance/problem.ts'
import type { WaveStake } from '../rebalance/waves.ts'
import { shareOf } from '../stake-limits.ts'
import { transactionsFor } from '../transaction-parts.ts'

/** A stake of a plan. Stakes of the same epoch and `batch` are one transaction. */
export type BatchedStake = WaveStake<Target> & { readonly batch?: number }

type Rules = {
  /** The smallest stake of the network, and the most that one transaction may stake. */
  readonly least: bigint
  readonly most: bigint
  readonly share: number | undefined
  readonly fewest: number
}

type Principals = Map<string, bigint>

/** Upper bound of corrections by one unit: rounding needs fewer, and a larger excess cannot be corrected. */
const MAX_CORRECTIONS = 100

/**
 * Divides the stakes of each epoch into the fewest equal transactions within `most`. A validator's share changes
 * monotonically from one equal transaction to the next, so if the first and the last state keep the share, all states
 * in between do. Units that do not divide stay in the wallet. Undefined if a transaction would break a rule or be too
 * small.
 */
export function inEqualBatches(
  stakes: readonly WaveStake<Target>[],
  stays: ReadonlyMap<string, bigint>,
  rules: Rules,
): readonly BatchedStake[] | undefined {
  const held: Principals = new Map(stays)
  const batched: BatchedStake[] = []
  for (const wave of Map.groupBy(stakes, ({ atEpoch }) => atEpoch).values()) {
    const count = transactionsFor(
      wave.reduce((sum, { amount }) => sum + amount, 0n),
      rules.most,
    )
    const batch = count === 1n ? wave : equalBatch(wave, count, held, rules)
    if (!batch) return undefined
    for (let at = 0; at < count; at++) batched.push(...batch.map((stake) => ({ ...stake, batch: at })))
    addTo(held, batch, count)
  }
  return batched
}

/** One of `count` equal transactions. */
function equalBatch(
  wave: readonly WaveStake<Target>[],
  count: bigint,
  held: ReadonlyMap<string, bigint>,
  { least, share = 1, fewest }: Rules,
): readonly WaveStake<Target>[] | undefined {
  let batch = wave.map((stake) => ({ ...stake, amount: stake.amount / count }))
  for (let corrections = 0; corrections < MAX_CORRECTIONS; corrections++) {
    if (batch.some(({ amount }) => amount < least)) return undefined
    const tooLarge = new Set([
      ...beyondShare(held, batch, 1n, share),
      ...beyondShare(held, batch, count, share),
    ])
    if (tooLarge.size === 0) return principalsAfter(held, batch, 1n).size >= fewest ? batch : undefined
    batch = batch.map((stake) =>
      tooLarge.has(idOf(stake)) ? { ...stake, amount: stake.amount - 1n } : stake,
    )
  }
  return undefined
}

/** The receiving validators that exceed the share after `count` of the transactions. */
function beyondShare(
  held: ReadonlyMap<string, bigint>,
  batch: readonly WaveStake<Target>[],
  count: bigint,
  share: number,
): readonly string[] {
  const principals = principalsAfter(held, batch, count)
  const most = shareOf(
    [...principals.values()].reduce((sum, amount) => sum + amount, 0n),
    share,
  )
  return batch.map(idOf).filter((id) => (principals.get(id) ?? 0n) > most)
}

/** The principal of each validator after `count` of these transactions, without validators that have none. */
function principalsAfter(
  held: ReadonlyMap<string, bigint>,
  batch: readonly WaveStake<Target>[],
  count: bigint,
): Principals {
  const principals: Principals = new Map([...held].filter(([, amount]) => amount > 0n))
  addTo(principals, batch, count)
  return principals
}

function addTo(principals: Principals, batch: readonly WaveStake<Target>[], count: bigint): void {
  for (const stake of batch) {
    const id = idOf(stake)
    principals.set(id, (principals.get(id) ?? 0n) + count * stake.amount)
  }
}

const idOf = ({ target }: WaveStake<Target>): string => target.option.validatorId

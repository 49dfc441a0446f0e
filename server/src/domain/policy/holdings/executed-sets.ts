import { excludes } from '../reservations/token-uses.ts'
import type { Unseen } from '../unseen-builds.ts'
import type { Amounts } from './amounts.ts'

/**
 * The number of validators with stake for each set of executed transactions (bit mask); undefined: an impossible
 * set. The sets are walked depth first on one state that is changed and restored, so that none is copied.
 */
export function sizesOfSets(held: Amounts, open: readonly Unseen[]): readonly (number | undefined)[] {
  const sizes = new Array<number | undefined>(2 ** open.length).fill(undefined)
  const state = new Map(held)
  const rivals = rivalsIn(open)

  function walk(set: number, from: number): void {
    sizes[set] = state.size
    for (const [at, { changes }] of open.entries()) {
      if (at < from || (set & (rivals[at] ?? 0)) !== 0) continue
      const before = change(state, changes)
      walk(set | (1 << at), at + 1)
      for (const [id, amount] of before) setAmount(state, id, amount)
    }
  }

  walk(0, 0)
  return sizes
}

/** For each transaction the earlier ones (bit mask) that the chain does not execute together with it. */
const rivalsIn = (open: readonly Unseen[]): readonly number[] =>
  open.map(({ items }, at) => {
    const isRival = excludes(items)
    return open
      .slice(0, at)
      .reduce((bits, other, index) => (isRival(other.items) ? bits | (1 << index) : bits), 0)
  })

/** Applies the changes and returns the amounts as they were. */
function change(state: Map<string, bigint>, changes: Amounts): readonly (readonly [string, bigint])[] {
  const before: (readonly [string, bigint])[] = []
  for (const [id, amount] of changes) {
    const old = state.get(id) ?? 0n
    before.push([id, old])
    setAmount(state, id, old + amount)
  }
  return before
}

function setAmount(state: Map<string, bigint>, id: string, amount: bigint): void {
  if (amount > 0n) state.set(id, amount)
  else state.delete(id)
}

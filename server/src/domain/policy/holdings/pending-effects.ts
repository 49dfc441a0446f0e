import type { Unseen } from '../unseen-builds.ts'
import { sumOf } from './amounts.ts'

/** A validator's stake, and all stake; or changes of both. */
export type Part = { readonly amount: bigint; readonly total: bigint }

/** A share as a fraction of whole numbers. */
export type Ratio = { readonly over: bigint; readonly under: bigint }

/** Whether the change raises the validator's share above the ratio, or lets it fall less. */
export const isRaised = ({ amount, total }: Part, { over, under }: Ratio): boolean =>
  amount * under > total * over

/** The change of one pending transaction. */
type Effect = Part & {
  readonly settlesAt: number
  readonly raises: boolean
  /** Whether it stakes with the validator. */
  readonly receives: boolean
}

type Worst = {
  /** All changes together that raise the validator's share. */
  readonly raising: Part
  /** The pending stakes with the validator, oldest first. */
  readonly stakes: readonly Effect[]
}

/** The effect on a validator's share of the pending transactions that expire after the moment. */
export type PendingEffects = (id: string, moment: number) => Worst

/**
 * The pending transactions by validator. One that does not change a validator's stake raises its share by what it
 * takes from others, so these are summed once for all validators; the time of a check grows with the number of changes,
 * not with that of changes times validators. Rival transactions, of which the chain executes only one, are all counted:
 * each of them raises the share, so the result is an upper bound.
 */
export function pendingEffects(unseen: readonly Unseen[], ratio: Ratio): PendingEffects {
  const byValidator = new Map<string, Effect[]>()
  const taking: Pick<Effect, 'total' | 'settlesAt'>[] = []
  for (const { changes, receiving, settlesAt } of unseen) {
    const total = sumOf(changes)
    if (total < 0n) taking.push({ total, settlesAt })
    for (const [id, amount] of changes) {
      const raises = isRaised({ amount, total }, ratio)
      const effect = { amount, total, settlesAt, raises, receives: receiving.has(id) }
      const known = byValidator.get(id)
      if (known) known.push(effect)
      else byValidator.set(id, [effect])
    }
  }
  const takenAfter = takenBy(taking)
  return (id, moment) => {
    const own = (byValidator.get(id) ?? []).filter(({ settlesAt }) => settlesAt > moment)
    const raising = own.filter(({ raises }) => raises)
    const ownTaking = own.filter(({ total }) => total < 0n)
    const takenElsewhere = takenAfter(moment) - totalOf(ownTaking)
    const amount = raising.reduce((sum, each) => sum + each.amount, 0n)
    return {
      raising: { amount, total: totalOf(raising) + takenElsewhere },
      stakes: own.filter(({ receives }) => receives),
    }
  }
}

const totalOf = (effects: readonly Pick<Part, 'total'>[]): bigint =>
  effects.reduce((sum, { total }) => sum + total, 0n)

/** The sum of the changes that expire after a moment, computed once for each moment. */
function takenBy(taking: readonly Pick<Effect, 'total' | 'settlesAt'>[]): (moment: number) => bigint {
  const known = new Map<number, bigint>()
  return (moment) => {
    const sum = known.get(moment) ?? totalOf(taking.filter(({ settlesAt }) => settlesAt > moment))
    known.set(moment, sum)
    return sum
  }
}

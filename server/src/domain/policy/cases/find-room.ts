import type { Reservation, Reservations, WindowUse } from '#ports/stores/reservations.ts'
import { movedBy, WINDOW_LENGTHS } from '../window-rules.ts'
import type { Breach, Facts, WindowName } from '../wish.ts'
import type { Case, HeldAgent } from './open-case.ts'

/** A reservation that was never executed. It stops counting at `freeAt`, when it no longer can be. */
export type Returning = Pick<Reservation, 'id' | 'at' | 'epoch' | 'items'> & { readonly freeAt: number }

type Built = { readonly windowUse: WindowUse | undefined; readonly returning: readonly Returning[] }
type Wanted = {
  readonly window: WindowName
  readonly actions: readonly string[]
  readonly amount: bigint
}

/** The rules that the wish breaks; for windows, with the time from which the wish fits. */
export function findRoom({ reservations }: { readonly reservations: Pick<Reservations, 'leavesAt'> }) {
  /** The time at which reservations of `amount` in total have left the window, not counting those in `without`. */
  async function leftAt(
    { no }: HeldAgent,
    { now, epoch }: Case,
    { window, actions, amount }: Wanted,
    without: readonly Returning[],
  ): Promise<number> {
    if (amount <= 0n) return Number.NEGATIVE_INFINITY
    if (window === 'epoch') return epoch.endsAt
    const length = WINDOW_LENGTHS[window]
    const last = await reservations.leavesAt(no, { since: now - length, actions, amount, without })
    return last === undefined ? Number.POSITIVE_INFINITY : last + length
  }

  /**
   * The earliest time at which enough room is free: from reservations that were never executed (`coming`) and from
   * those that leave the window. Waiting for more of the first kind takes longer and needs less of the second, so a
   * binary search finds the number with the shortest wait.
   */
  async function roomAt(
    agent: HeldAgent,
    found: Case,
    wanted: Wanted,
    returning: readonly Returning[],
  ): Promise<number> {
    const coming = returning
      .filter((one) => isIn(wanted.window, one, found) && movedBy(one.items, wanted.actions) > 0n)
      .toSorted((one, other) => one.freeAt - other.freeAt)
    const comesAt = (count: number) => coming[count - 1]?.freeAt ?? Number.NEGATIVE_INFINITY
    const leavesWithout = (count: number) => {
      const back = coming.slice(0, count)
      const amount = back.reduce((rest, { items }) => rest - movedBy(items, wanted.actions), wanted.amount)
      return leftAt(agent, found, { ...wanted, amount }, back)
    }
    let [few, many] = [0, coming.length]
    let best = Math.max(comesAt(many), await leavesWithout(many))
    while (few <= many) {
      const middle = Math.floor((few + many) / 2)
      const [comes, leaves] = [comesAt(middle), await leavesWithout(middle)]
      best = Math.min(best, Math.max(comes, leaves))
      if (comes < leaves) few = middle + 1
      else many = middle - 1
    }
    return best
  }

  return async (
    agent: HeldAgent,
    found: Case,
    { windowUse, returning }: Built,
  ): Promise<readonly Breach[]> => {
    const asked: Promise<number>[] = []
    const ask: Facts['roomAt'] = (window, actions, amount) => {
      asked.push(roomAt(agent, found, { window, actions, amount }, returning))
      return undefined
    }
    const breaches = found.breaches(windowUse, ask)
    if (asked.length === 0) return breaches
    // The second run asks the same questions in the same order.
    const answers = await Promise.all(asked)
    return found.breaches(windowUse, () => {
      const at = answers.shift()
      return at !== undefined && Number.isFinite(at) ? at : undefined
    })
  }
}

const isIn = (window: WindowName, { at, epoch }: Returning, { now, epoch: present }: Case): boolean =>
  window === 'epoch' ? epoch >= present.number : at > now - WINDOW_LENGTHS[window]

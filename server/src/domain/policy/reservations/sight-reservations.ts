import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservations } from '#ports/stores/reservations.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import { shownAmong } from './unused-reservations.ts'

type Needs = {
  readonly reservations: Pick<Reservations, 'unseen' | 'unseenSenders' | 'markSeen'>
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
}

/**
 * Puts on record which transactions of an address the chain shows. Asked before anything is built that takes from its
 * stake: afterwards the chain may show nothing of what was carried out.
 */
export function sightReservations({ reservations, chain }: Needs) {
  return async (sender: string, deadline: AbortSignal): Promise<void> => {
    const unseen = await reservations.unseen(sender)
    if (unseen.length === 0) return
    const tokens = await chain.stakedTokensOf(sender, deadline)
    await reservations.markSeen(shownAmong(unseen, { tokens }))
  }
}

export type SightReservations = ReturnType<typeof sightReservations>

/** The same for all that may still be carried out, because stake is taken out elsewhere, too. */
export function watchReservations({ clock, ...needs }: Needs & { readonly clock: Clock }) {
  const sight = sightReservations(needs)
  return async (deadline: AbortSignal): Promise<void> => {
    // What came at the last moment is still found once it cannot come any more.
    const senders = await needs.reservations.unseenSenders(clock.now() - 2 * SETTLING_MS)
    const looks: PromiseSettledResult<void>[] = []
    for (const sender of senders) {
      if (deadline.aborted) break
      looks.push(...(await Promise.allSettled([sight(sender, deadline)])))
    }
    // One that cannot be read keeps none of the others from being looked at.
    for (const look of looks) if (look.status === 'rejected') throw look.reason
  }
}

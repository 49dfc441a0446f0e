import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservation, Reservations } from '#ports/stores/reservations.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import { doubtEndsAt, sightingsAmong, tokensNamed } from './sightings.ts'

type Needs = {
  readonly reservations: Pick<Reservations, 'unseen' | 'unseenSenders' | 'shown' | 'markSeen'>
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
}

/**
 * Puts on record which transactions of an address the chain shows. Asked before anything is built that takes from its
 * stake: afterwards the chain may show nothing of what was carried out. Asked before anything is built that counts, too:
 * what is there by then is not from it. Resolves with what the address has staked, if anything was unseen.
 */
export function sightReservations({ reservations, chain }: Needs) {
  async function sightOf(agentNo: number, own: readonly Reservation[], tokens: readonly StakedToken[]) {
    // What was shown before only explains more.
    if (sightingsAmong(own, { tokens, seen: [] }).length === 0) return
    const seen = await reservations.shown(agentNo, tokensNamed(own, tokens))
    await reservations.markSeen(agentNo, sightingsAmong(own, { tokens, seen }))
  }

  return async (sender: string, deadline: AbortSignal): Promise<readonly StakedToken[] | undefined> => {
    const unseen = await reservations.unseen(sender)
    if (unseen.length === 0) return undefined
    const tokens = await chain.stakedTokensOf(sender, deadline)
    for (const [agentNo, own] of Map.groupBy(unseen, (one) => one.agentNo))
      await sightOf(agentNo, own, tokens)
    return tokens
  }
}

export type SightReservations = ReturnType<typeof sightReservations>

/** A transaction of which nothing was ever carried out, as far as the chain shows by then. */
export type Unused = { readonly reservation: Reservation; readonly certainAt: number }

/** Which of these, all of one agent and sender, the chain shows nothing of, and from when on that is certain. */
export function findUnused({ reservations, chain }: Needs) {
  const sight = sightReservations({ reservations, chain })
  return async (
    agentNo: number,
    sender: string,
    own: readonly Reservation[],
    deadline: AbortSignal,
  ): Promise<readonly Unused[]> => {
    const tokens = (await sight(sender, deadline)) ?? []
    const seen = await reservations.shown(agentNo, tokensNamed(own, tokens))
    return own
      .filter(({ id }) => !seen.some((other) => other.id === id))
      .map((one) => ({ reservation: one, certainAt: doubtEndsAt(one, { tokens, seen }) + SETTLING_MS }))
      .filter(({ certainAt }) => certainAt < Number.POSITIVE_INFINITY)
  }
}

/** Looks for all that may still be carried out, because stake is taken out elsewhere, too. */
export function watchReservations({ clock, ...needs }: Needs & { readonly clock: Clock }) {
  const sight = sightReservations(needs)
  return async (deadline: AbortSignal): Promise<void> => {
    // What came at the last moment is still found once it cannot come any more.
    const senders = await needs.reservations.unseenSenders(clock.now() - 2 * SETTLING_MS)
    const looks: PromiseSettledResult<unknown>[] = []
    for (const sender of senders) {
      if (deadline.aborted) break
      looks.push(...(await Promise.allSettled([sight(sender, deadline)])))
    }
    // One that cannot be read keeps none of the others from being looked at.
    for (const look of looks) if (look.status === 'rejected') throw look.reason
  }
}

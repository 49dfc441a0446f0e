import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservation, Reservations } from '#ports/stores/reservations.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import { executableSince, type ReadChainEpoch } from './chain-expiry.ts'
import { doubtEndsAt, sightingsAmong, tokensNamed } from './sightings.ts'

type Needs = {
  readonly reservations: Pick<Reservations, 'unseen' | 'unseenSenders' | 'shown' | 'markSeen'>
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
}

/** An address's tokens, and its transactions that they do not show. */
type Sighted = { readonly tokens: readonly StakedToken[]; readonly unseenIds: ReadonlySet<string> }

/**
 * Records which transactions of an address the chain shows. Called before a build that takes from its stake, which
 * may hide the effects of earlier ones, and before a build that counts, so that existing effects are not attributed
 * to it. Undefined: no transaction was unseen, and the chain was not read.
 */
export function markExecuted({ reservations, chain }: Needs) {
  /** Resolves with the transactions that the tokens show. */
  async function sightOf(
    agentNo: number,
    own: readonly Reservation[],
    tokens: readonly StakedToken[],
  ): Promise<readonly Pick<Reservation, 'id'>[]> {
    // Reservations seen before only explain more effects.
    if (sightingsAmong(own, { tokens, seen: [] }).length === 0) return []
    const seen = await reservations.shown(agentNo, tokensNamed(own, tokens))
    // Another request may have seen some of them since they were read: their effects are explained.
    const seenIds = new Set(seen.map(({ id }) => id))
    const unseen = own.filter(({ id }) => !seenIds.has(id))
    const sightings = sightingsAmong(unseen, { tokens, seen })
    await reservations.markSeen(agentNo, sightings)
    return sightings
  }

  return async (sender: string, deadline: AbortSignal): Promise<Sighted | undefined> => {
    const unseen = await reservations.unseen(sender)
    if (unseen.length === 0) return undefined
    const tokens = await chain.stakedTokensOf(sender, deadline)
    const unseenIds = new Set(unseen.map(({ id }) => id))
    for (const [agentNo, own] of Map.groupBy(unseen, (one) => one.agentNo))
      for (const { id } of await sightOf(agentNo, own, tokens)) unseenIds.delete(id)
    return { tokens, unseenIds }
  }
}

export type MarkExecuted = ReturnType<typeof markExecuted>

/**
 * A transaction whose effects the chain does not show; from `certainAt` on it is certain that it was never
 * executed.
 */
type Unused = { readonly reservation: Reservation; readonly certainAt: number }

/** Finds the reservations of one agent and sender that the chain does not show, each with the time of certainty. */
export function findUnused({ reservations, chain }: Needs) {
  const mark = markExecuted({ reservations, chain })
  return async (
    agentNo: number,
    sender: string,
    own: readonly Reservation[],
    deadline: AbortSignal,
  ): Promise<readonly Unused[]> => {
    const sighted = await mark(sender, deadline)
    // Without unseen reservations the chain was not read, so nothing is known.
    if (!sighted) return []
    const { tokens } = sighted
    const seen = await reservations.shown(agentNo, tokensNamed(own, tokens))
    return own
      .filter(({ id }) => !seen.some((other) => other.id === id))
      .map((one) => ({ reservation: one, certainAt: doubtEndsAt(one, { tokens, seen }) + SETTLING_MS }))
      .filter(({ certainAt }) => certainAt < Number.POSITIVE_INFINITY)
  }
}

const LATE_LOOKS_PER_EPOCH = 24

/** Checks all pending transactions regularly, because stake may also be withdrawn outside this service. */
export function watchReservations({
  clock,
  chainEpoch,
  ...needs
}: Needs & { readonly clock: Clock; readonly chainEpoch: ReadChainEpoch }) {
  const mark = markExecuted(needs)
  let lateLookAt = Number.NEGATIVE_INFINITY

  /**
   * The expiry from which on transactions are checked now. Expired ones are checked only `LATE_LOOKS_PER_EPOCH` times
   * per epoch: few of them are executed, and many may wait for the end of the epoch.
   */
  function expiresAfter(): number {
    const [now, chain] = [clock.now(), chainEpoch()]
    // Long enough after the expiry to find a transaction that was executed at the last moment.
    const recent = now - 2 * SETTLING_MS
    if (!chain || Math.abs(now - lateLookAt) < chain.durationMs / LATE_LOOKS_PER_EPOCH) return recent
    lateLookAt = now
    return Math.min(recent, executableSince(chain))
  }

  return async (deadline: AbortSignal): Promise<void> => {
    const senders = await needs.reservations.unseenSenders(expiresAfter())
    const looks: PromiseSettledResult<unknown>[] = []
    for (const sender of senders) {
      if (deadline.aborted) break
      looks.push(...(await Promise.allSettled([mark(sender, deadline)])))
    }
    // A sender that cannot be read does not stop the others.
    for (const look of looks) if (look.status === 'rejected') throw look.reason
  }
}

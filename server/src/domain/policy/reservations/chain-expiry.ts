import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservation, Reservations, WindowUse } from '#ports/stores/reservations.ts'
import { DAY_MS } from '../../../durations.ts'
import { NETWORK_RULES, type NetworkRules } from '../../../networks.ts'

/**
 * Who signs must keep to `expiresAt`; the chain takes the transaction until its last epoch has ended. What counts until
 * it cannot be carried out any more counts until both have passed.
 */

/** The epoch of the chain that the network is on, by which transactions expire. */
export type ChainEpoch = {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  /** The network's own epochs, in which stake becomes active. */
  readonly staking: Pick<NetworkRules, 'hasChainEpochs' | 'hasTwoSteps'> & { readonly durationMs: number }
}

type Needs = {
  /** What the chain was last seen as; undefined: not yet. */
  readonly snapshot: () => Pick<ChainSnapshot, 'network' | 'epoch' | 'chainEpoch'> | undefined
  readonly clock: Clock
}

export type ReadChainEpoch = () => ChainEpoch | undefined

/** Epochs of Sui take a day. */
const SUI_EPOCH_MS = DAY_MS

/** A network that has epochs of its own does not tell when that of its chain began: at the latest when it was first seen. */
export function readChainEpoch({ snapshot, clock }: Needs): ReadChainEpoch {
  let seen: ChainEpoch | undefined
  return () => {
    const found = snapshot()
    if (found?.chainEpoch === undefined) return undefined
    const { chainEpoch: number, network, epoch } = found
    const { hasChainEpochs, hasTwoSteps } = NETWORK_RULES[network]
    const staking = { hasChainEpochs, hasTwoSteps, durationMs: epoch.durationMs }
    if (hasChainEpochs) return { ...epoch, number, staking }
    if (seen?.number !== number) seen = { number, startedAt: clock.now(), durationMs: SUI_EPOCH_MS, staking }
    return seen
  }
}

/** Until when the transaction may be carried out, as far as can be said now. */
function takenUntil(
  { expiresAt, items: [item] }: Pick<Reservation, 'expiresAt' | 'items'>,
  chain: ChainEpoch | undefined,
  now: number,
): number {
  if (item?.lastEpoch === undefined) return expiresAt
  if (!chain) return Math.max(expiresAt, now)
  const endsAt = chain.startedAt + (item.lastEpoch + 1 - chain.number) * chain.durationMs
  // An epoch may take longer than it should.
  return Math.max(expiresAt, endsAt, chain.number > item.lastEpoch ? endsAt : now)
}

/**
 * The last epoch in which a stake of the transaction can become active: with two steps up to two epochs after it is made.
 * Epochs of the network's own are counted as if those of the chain took half as long again.
 */
function activeBy({ epoch, items: [item] }: Reservation, chain: ChainEpoch | undefined): number | undefined {
  if (item?.lastEpoch === undefined || !chain) return undefined
  const { hasChainEpochs, hasTwoSteps, durationMs } = chain.staking
  const lastMade = hasChainEpochs ? item.lastEpoch : epoch + Math.ceil((3 * chain.durationMs) / durationMs)
  return lastMade + (hasTwoSteps ? 2 : 1)
}

/** Nothing built before this may still be carried out, even if epochs take half as long again. */
export const takenSince = ({ startedAt, durationMs }: ChainEpoch): number => startedAt - 3 * durationMs

/**
 * The same reservations, of which `expiresAt` is the moment until which the chain takes the transaction, with the last
 * epoch in which its stakes can become active.
 */
export function followChain(
  reservations: Reservations,
  { chainEpoch, clock }: { readonly chainEpoch: ReadChainEpoch; readonly clock: Clock },
): Reservations {
  const follow = <R extends Reservation>(found: readonly R[]): readonly R[] => {
    const [chain, now] = [chainEpoch(), clock.now()]
    return found.map((one) => ({
      ...one,
      expiresAt: takenUntil(one, chain, now),
      activeBy: activeBy(one, chain),
    }))
  }
  const followUse = (windowUse: WindowUse): WindowUse => ({ ...windowUse, built: follow(windowUse.built) })
  return {
    ...reservations,
    windowUse: async (agentNo, part) => followUse(await reservations.windowUse(agentNo, part)),
    unseenIn: async (agentNo, part) => follow(await reservations.unseenIn(agentNo, part)),
    ofIntent: async (agentNo, intentId) => follow(await reservations.ofIntent(agentNo, intentId)),
    unseen: async (sender) => follow(await reservations.unseen(sender)),
    shown: async (agentNo, tokenIds) => follow(await reservations.shown(agentNo, tokenIds)),
    reserve: (agentNo, { place, ...terms }) =>
      reservations.reserve(agentNo, { ...terms, place: (windowUse) => place(followUse(windowUse)) }),
  }
}

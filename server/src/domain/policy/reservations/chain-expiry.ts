import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservation, Reservations, WindowUse } from '#ports/stores/reservations.ts'
import { DAY_MS } from '../../../durations.ts'
import { NETWORK_RULES, type NetworkRules } from '../../../networks.ts'

/**
 * Two limits end a transaction: `expiresAt`, which the signer must respect, and its last epoch, after which the chain
 * refuses it. A reservation counts as pending until both have passed.
 */

/** The epoch of the chain on which the network runs; transactions expire by it. */
export type ChainEpoch = {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  /** The rules of the network's own epochs, in which stake becomes active. */
  readonly staking: Pick<NetworkRules, 'hasChainEpochs' | 'hasTwoSteps'> & { readonly durationMs: number }
}

type Needs = {
  /** The newest snapshot; undefined: none yet. */
  readonly snapshot: () => Pick<ChainSnapshot, 'network' | 'epoch' | 'chainEpoch'> | undefined
  readonly clock: Clock
}

export type ReadChainEpoch = () => ChainEpoch | undefined

/** Epochs of Sui take a day. */
const SUI_EPOCH_MS = DAY_MS

/**
 * Reads the epoch of the chain. A network with epochs of its own does not report when the chain's epoch began; the
 * time at which it was first seen is an upper bound.
 */
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

/** The time until which the transaction may be executed, as far as known now. */
function executableUntil(
  { expiresAt, items: [item] }: Pick<Reservation, 'expiresAt' | 'items'>,
  chain: ChainEpoch | undefined,
  now: number,
): number {
  if (item?.lastEpoch === undefined) return expiresAt
  if (!chain) return Math.max(expiresAt, now)
  const endsAt = chain.startedAt + (item.lastEpoch + 1 - chain.number) * chain.durationMs
  // While the last epoch is not over, the transaction may be executed: an epoch may last longer than planned.
  return Math.max(expiresAt, endsAt, chain.number > item.lastEpoch ? endsAt : now)
}

/**
 * The last epoch in which a stake of the transaction can become active: with two-step networks up to two epochs after
 * it is made. For a network with epochs of its own, a margin of 50% is added to the length of the chain's epochs.
 */
function activeBy({ epoch, items: [item] }: Reservation, chain: ChainEpoch | undefined): number | undefined {
  if (item?.lastEpoch === undefined || !chain) return undefined
  const { hasChainEpochs, hasTwoSteps, durationMs } = chain.staking
  const lastMade = hasChainEpochs ? item.lastEpoch : epoch + Math.ceil((3 * chain.durationMs) / durationMs)
  return lastMade + (hasTwoSteps ? 2 : 1)
}

/** Transactions built before this time can no longer be executed, even if epochs last 50% longer than planned. */
export const executableSince = ({ startedAt, durationMs }: ChainEpoch): number => startedAt - 3 * durationMs

/**
 * Decorates the store: `expiresAt` becomes the time until which the chain accepts the transaction, and `activeBy` the
 * last epoch in which its stakes can become active.
 */
export function followChain(
  reservations: Reservations,
  { chainEpoch, clock }: { readonly chainEpoch: ReadChainEpoch; readonly clock: Clock },
): Reservations {
  const follow = <R extends Reservation>(found: readonly R[]): readonly R[] => {
    const [chain, now] = [chainEpoch(), clock.now()]
    return found.map((one) => ({
      ...one,
      expiresAt: executableUntil(one, chain, now),
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

import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { ChainSnapshot, StakingChain } from '#ports/chain/staking-chain.ts'
import { Fault } from '../../fault.ts'
import { BUILD_MAX_AGE_MS, type CurrentNetwork } from './current-network.ts'
import type { NetworkView } from './network-view.ts'
import { secondsUntilAsked } from './node-wait.ts'

/**
 * agreed: the nodes confirm the served snapshot · outdated: they agree with each other, but no longer with the served
 * snapshot · disagreed: they contradict each other · unknown: too few answered.
 */
type Agreement = 'agreed' | 'outdated' | 'disagreed' | 'unknown'

export function judge(served: ChainSnapshot, said: readonly ChainSnapshot[], count: number): Agreement {
  const [facts, ...others] = said.map(buildFactsOf)
  if (facts === undefined || said.length < neededOf(count)) return 'unknown'
  if (others.some((other) => other !== facts)) return 'disagreed'
  return buildFactsOf(served) === facts ? 'agreed' : 'outdated'
}

const neededOf = (count: number): number => Math.min(count, 2)

/**
 * The data that transactions depend on, without amounts: those change with every checkpoint, at different times on
 * each node.
 */
function buildFactsOf({ chainId, epoch, system, validators }: ChainSnapshot): string {
  const set = validators.map(({ id, status, inNextCommittee, commissionBps, nextCommissionBps }) =>
    [id, status, inNextCommittee, commissionBps, nextCommissionBps].join(),
  )
  const { number, nextCommitteeSelected } = epoch
  const { objectId, packageId, initialSharedVersion } = system
  const place = [chainId, objectId, packageId, initialSharedVersion]
  return JSON.stringify([place, number, nextCommitteeSelected, set.sort()])
}

/** For a chain with a single source: confirms a snapshot by reading it once more. */
export function soleWitness(chain: StakingChain): ChainWitnesses {
  return { count: 1, ask: async (deadline) => [await chain.readSnapshot(deadline)] }
}

type Needs = {
  readonly network: CurrentNetwork
  readonly witnesses: ChainWitnesses
  readonly nodes: ChainNodes
  /** Reads the chain again at once. */
  readonly refresh: () => Promise<void>
}

/** Reads data for a transaction: fresh, and confirmed by the nodes at this moment. */
export function readConfirmed({ network, witnesses, nodes, refresh }: Needs) {
  return async (deadline: AbortSignal): Promise<NetworkView> => {
    network.read(BUILD_MAX_AGE_MS)
    const said = await witnesses.ask(deadline)
    const agreement = () => judge(network.read(BUILD_MAX_AGE_MS).snapshot, said, witnesses.count)
    let found = agreement()
    if (found === 'outdated') {
      await refresh()
      found = agreement()
    }
    if (found !== 'agreed')
      throw unconfirmed(REASONS[found], secondsUntilAsked(nodes, neededOf(witnesses.count), 5))
    return network.read(BUILD_MAX_AGE_MS)
  }
}

const REASONS = {
  outdated: 'The epoch or the validator set is changing right now',
  disagreed: 'The chain nodes do not agree right now',
  unknown: 'Too few chain nodes answer right now',
} as const

const unconfirmed = (reason: string, retryAfterSeconds: number) =>
  new Fault('rpc_unavailable', `${reason}, so nothing is built. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })

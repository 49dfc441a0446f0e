import { setImmediate } from 'node:timers/promises'
import { currentNetwork } from '#domain/network/current-network.ts'
import { currentPrice } from '#domain/network/price.ts'
import { refreshByLeader } from '#domain/network/refresh/refresh-by-leader.ts'
import { refreshNetwork, storedView } from '#domain/network/refresh/refresh-network.ts'
import { takeStoredNetwork } from '#domain/network/refresh/take-stored-network.ts'
import { followChain, readChainEpoch } from '#domain/policy/reservations/chain-expiry.ts'
import { recordForecasts } from '#domain/staking/forecast/record-forecasts.ts'
import { digest, type Wired } from './wired.ts'

export type NetworkState = ReturnType<typeof openNetworkState>

/** The chain data that requests read: the newest snapshot and price, and the operations that refresh them. */
export function openNetworkState({
  runtime: { clock, forTests: { preparesAhead = true, restore } = {} },
  parts: { chain, nodes, snapshots, feed, forecasts, readerLease, reservations },
}: Wired) {
  const network = currentNetwork({ clock, nodes })
  const chainEpoch = readChainEpoch({ snapshot: () => network.peek()?.snapshot, clock })
  const watching = { chain, snapshots, network, clock, digest }
  const read = refreshNetwork(watching)
  const byLeader =
    readerLease &&
    refreshByLeader({
      read,
      take: takeStoredNetwork({ name: chain.network, ...watching }),
      publish: async () => {
        const view = network.peek()
        if (!view) return
        const mark = { contentId: view.contentId, ...view.snapshot }
        await snapshots.noteSeen(chain.network, mark, clock.now())
      },
      lease: readerLease,
      elapsed: () => performance.now(),
    })
  return {
    network,
    chainEpoch,
    reservations: followChain(reservations, { chainEpoch, clock }),
    price: currentPrice({ feed, clock }),
    refreshNetwork: byLeader?.refresh ?? read,
    takeStoredNetwork: byLeader?.takeNews,
    /** Makes the next refresh read the chain instead of taking another instance's snapshot. */
    forceOwnRead: () => byLeader?.forceOwnRead(),
    recordForecasts: recordForecasts({ network, forecasts, clock, preparesAhead, pause: setImmediate }),
    async restoreNetwork() {
      const stored = () => storedView(watching)
      const view = await (restore ? restore(stored) : stored())
      if (view) network.replaceIf(undefined, view)
    },
  }
}

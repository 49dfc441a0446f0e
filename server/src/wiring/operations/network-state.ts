import { setImmediate } from 'node:timers/promises'
import { currentNetwork } from '#domain/network/current-network.ts'
import { currentPrice } from '#domain/network/price.ts'
import { refreshNetwork, restoreNetwork } from '#domain/network/refresh/refresh-network.ts'
import { refreshTogether } from '#domain/network/refresh/refresh-together.ts'
import { takeNetwork } from '#domain/network/refresh/take-network.ts'
import { recordForecasts } from '#domain/staking/forecast/record-forecasts.ts'
import { digest, type Wired } from './wired.ts'

export type NetworkState = ReturnType<typeof openNetworkState>

/** The data of the chain that requests read: the newest snapshot and price, and what replaces them. */
export function openNetworkState({
  runtime: { clock, preparesAhead = true },
  parts: { chain, snapshots, feed, forecasts, readingTurn },
}: Wired) {
  const network = currentNetwork({ clock })
  const watching = { chain, snapshots, network, clock, digest }
  const read = refreshNetwork(watching)
  const together =
    readingTurn &&
    refreshTogether({
      read,
      take: takeNetwork({ name: chain.network, ...watching }),
      tell: async () => {
        const view = network.peek()
        if (view) await snapshots.noteSeen(chain.network, { contentId: view.contentId, ...view.snapshot })
      },
      turn: readingTurn,
      elapsed: () => performance.now(),
    })
  return {
    network,
    price: currentPrice({ feed, clock }),
    refreshNetwork: together?.refresh ?? read,
    takeNetwork: together?.takeNews,
    /** Makes the next refresh read the chain instead of taking another instance's snapshot. */
    wantOwnReading: () => together?.wantOwn(),
    recordForecasts: recordForecasts({ network, forecasts, clock, preparesAhead, pause: setImmediate }),
    restoreNetwork: restoreNetwork(watching),
  }
}

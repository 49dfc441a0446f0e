import type { ChainNodes } from '#ports/chain/chain-nodes.ts'
import type { Clock } from '#ports/clock.ts'
import { CLOCK_TOLERANCE_MS } from '../../basics/future-snapshot.ts'
import { Fault } from '../../fault.ts'
import type { NetworkView } from './network-view.ts'
import { secondsUntilAsked } from './node-wait.ts'

/** Reads are served from data up to this age; a transaction needs much fresher data. */
const READ_MAX_AGE_MS = 900_000
export const BUILD_MAX_AGE_MS = 60_000

/** The current view of the network. It is replaced atomically, so readers never see parts of two views. */
export type CurrentNetwork = {
  /** Undefined before the first data. */
  peek(): NetworkView | undefined
  /**
   * Compare-and-swap: replaces the view if it is still `present`, from which the new one was made; false if another
   * view has replaced it meanwhile.
   */
  replaceIf(present: NetworkView | undefined, view: NetworkView): boolean
  /** Waits for the first data. */
  known(): Promise<void>
  /** The view; refuses if there is none, if it is too old, or if its age is unknown. */
  read(maxAgeMs?: number): NetworkView
  /** Seconds since the chain's own checkpoint. */
  ageSeconds(view: NetworkView): number
}

type Needs = { readonly clock: Clock; readonly nodes: ChainNodes }

export function currentNetwork({ clock, nodes }: Needs): CurrentNetwork {
  let present: NetworkView | undefined
  const first = Promise.withResolvers<void>()
  return {
    peek: () => present,
    replaceIf(expected, view) {
      if (present !== expected) return false
      present = view
      first.resolve()
      return true
    },
    known: () => first.promise,
    read(maxAgeMs = READ_MAX_AGE_MS) {
      if (!present) {
        const retryAfterSeconds = secondsUntilAsked(nodes, 1, 2)
        throw new Fault(
          'store_not_ready',
          `No chain data have been read yet. Try again in ${retryAfterSeconds} s.`,
          { retryAfterSeconds },
        )
      }
      const ageMs = clock.now() - present.snapshot.checkpointAt
      if (ageMs < -CLOCK_TOLERANCE_MS) {
        throw new Fault(
          'rpc_unavailable',
          'The chain data are newer than the clock of this service, so their age is unknown. Try again shortly.',
          { retryAfterSeconds: 10 },
        )
      }
      if (ageMs > maxAgeMs) {
        const minutes = Math.floor(ageMs / 60_000)
        throw new Fault(
          'rpc_unavailable',
          `The newest chain data are ${minutes} min old, too old for this answer. Try again shortly.`,
          { retryAfterSeconds: secondsUntilAsked(nodes, 1, 10) },
        )
      }
      return present
    },
    ageSeconds: (view) => Math.max(0, Math.floor((clock.now() - view.snapshot.checkpointAt) / 1000)),
  }
}

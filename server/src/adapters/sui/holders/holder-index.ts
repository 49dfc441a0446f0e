import type { Clock } from '#ports/clock.ts'
import type { Logger } from '#ports/logger.ts'
import { check } from '../layouts/decode.ts'
import type { Listing, ListNeeds } from './list-holders.ts'
import { listHolders } from './list-holders.ts'

/** Interval between the starts of two listings. */
export const LIST_EVERY_MS = 900_000
/** Lists older than this are not served. */
export const LIST_KEPT_MS = 7_200_000
/** Tolerance for a chain's time ahead of this clock. */
const AHEAD_MS = 60_000

type Needs = ListNeeds & {
  readonly clock: Clock
  readonly logger: Logger
  /** The amount that can be withdrawn from each validator in this epoch, rewards included. */
  readonly claimableOf: (listing: Listing, signal: AbortSignal) => Promise<Claimable>
}

export type Claimable = { readonly epoch: number; readonly byValidator: ReadonlyMap<string, bigint> }

type HolderList = Listing & {
  /** Undefined: the list is not complete, so a sum would be too small. */
  readonly claimable: Claimable | undefined
}

/** The newest list of holders. Reading it starts the next listing in the background if one is due, one at a time. */
export type HolderIndex = {
  /** If `epoch` is not that of the list, the next listing is due after a fifteenth of the usual interval. */
  latest(epoch?: number): HolderList | undefined
  /** Resolves when the running listing has ended. */
  settled(): Promise<void>
  close(): void
}

export function openHolderIndex(needs: Needs): HolderIndex {
  const { clock, logger, source, claimableOf } = needs
  const closed = new AbortController()
  let newest: HolderList | undefined
  let [begunAt, reading]: [number, Promise<void> | undefined] = [Number.NEGATIVE_INFINITY, undefined]

  async function read(): Promise<void> {
    const { signal } = closed
    try {
      const listing = await listHolders(needs, signal)
      checkTime(listing.at, clock.now())
      newest = { ...listing, claimable: await readClaimable(listing, signal) }
      logger.info('delegators were listed', {
        host: source.host,
        complete: listing.isComplete,
        pools: listing.byPool.size,
      })
    } catch (error) {
      if (signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn('delegators were not listed', { host: source.host, reason })
    }
  }

  /** Asks the full nodes. A failure leaves the list itself usable. */
  async function readClaimable(listing: Listing, signal: AbortSignal): Promise<Claimable | undefined> {
    if (!listing.isComplete) return undefined
    try {
      return await claimableOf(listing, signal)
    } catch (error) {
      signal.throwIfAborted()
      logger.warn('claimable stake was not read', { reason: String(error) })
      return undefined
    }
  }

  function begin(isDue: boolean): void {
    if (reading || closed.signal.aborted || !isDue) return
    begunAt = clock.now()
    reading = read().finally(() => {
      reading = undefined
    })
  }

  return {
    latest(epoch) {
      const isOtherEpoch = epoch !== undefined && newest?.claimable && newest.claimable.epoch !== epoch
      const wait = isOtherEpoch ? LIST_EVERY_MS / 15 : LIST_EVERY_MS
      // By absolute difference, so that a clock that was set back neither delays the next listing nor keeps an old list.
      begin(Math.abs(clock.now() - begunAt) >= wait)
      return newest && Math.abs(clock.now() - newest.at) <= LIST_KEPT_MS ? newest : undefined
    },
    settled: async () => reading,
    close: () => closed.abort(),
  }
}

/** Refuses a list with a time in the future, which would be served too long, or one that is already too old. */
function checkTime(at: number, now: number): void {
  check(at <= now + AHEAD_MS, 'the list is of a time that has not come')
  check(at >= now - LIST_KEPT_MS, 'the list is too old to be served')
}

import type { Price, PriceFeed } from '#ports/chain/price-feed.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'

/** The polling interval of the price, which is stale if three polls in a row have failed. */
export const PRICE_REFRESH_MS = 60_000
const STALE_AFTER_MS = 3 * PRICE_REFRESH_MS

type KnownPrice = Price & {
  readonly source: string
  readonly ageSeconds: number
  readonly stale: boolean
  readonly nextReadAt: number
}

export type CurrentPrice = {
  refresh(deadline: AbortSignal): Promise<void>
  /** The last known price, however old; refuses only if there never was one. */
  read(): KnownPrice
}

export function currentPrice({
  feed,
  clock,
}: {
  /** Undefined: no price source is configured. */
  readonly feed: PriceFeed | undefined
  readonly clock: Clock
}): CurrentPrice {
  let last: { readonly price: Price; readonly readAt: number } | undefined
  return {
    async refresh(deadline) {
      if (!feed) return
      const price = await feed.read(deadline)
      if (!isPlausible(price)) {
        throw new Fault('rpc_unavailable', 'The price source sent something that is not a price.')
      }
      last = { price, readAt: clock.now() }
    },
    read() {
      if (!feed) throw noSource()
      if (!last) {
        throw new Fault('rpc_unavailable', 'The price source has not answered yet. Try again in a minute.', {
          retryAfterSeconds: 60,
        })
      }
      const now = clock.now()
      return {
        ...last.price,
        source: feed.source,
        ageSeconds: Math.max(0, Math.floor((now - last.price.updatedAt) / 1000)),
        // A clock that steps back must not make it look fresh.
        stale: Math.abs(now - last.readAt) > STALE_AFTER_MS,
        nextReadAt: last.readAt + PRICE_REFRESH_MS,
      }
    },
  }
}

const noSource = () =>
  new Fault('rpc_unavailable', 'This service has no price source. Its operator can set one with PRICE_URL.', {
    retryAfterSeconds: 3600,
  })

function isPlausible({ usd, change24hPercent, updatedAt }: Price): boolean {
  const isChange = change24hPercent === undefined || Number.isFinite(change24hPercent)
  return Number.isFinite(usd) && usd > 0 && isChange && Number.isFinite(updatedAt)
}

import type { Price, PriceFeed } from '#ports/chain/price-feed.ts'
import { readBounded } from '../../basics/read-bounded.ts'
import { Fault } from '../../fault.ts'
import { hideInError, hiderOf } from '../../secrets/hide-secrets.ts'
import { secretsOfUrl } from '../../secrets/secrets-of-url.ts'

const MAX_BYTES = 65_536

/**
 * A price source in the form of CoinGecko's simple price: `{"<coin>":{"usd":1.2,"usd_24h_change":-0.4,
 * "last_updated_at":1700000000}}`. The first coin of the answer is taken.
 */
export function httpPriceFeed(url: string, now: () => number): PriceFeed {
  const hide = hiderOf(secretsOfUrl(url))
  return {
    source: new URL(url).host,
    async read(deadline) {
      try {
        const response = await fetch(url, {
          headers: { accept: 'application/json' },
          redirect: 'error',
          signal: deadline,
        })
        if (!response.ok) throw new Error(`status ${response.status}`)
        const body = await readBounded(response, MAX_BYTES)
        if (!body) throw new Error('the answer is too large')
        return toPrice(JSON.parse(body.toString()), now())
      } catch (thrown) {
        const cause = hideInError(thrown, hide)
        throw new Fault('rpc_unavailable', 'The price source cannot be read right now.', { cause })
      }
    },
  }
}

/** Throws unless the answer contains a positive finite price. */
function toPrice(body: unknown, now: number): Price {
  const coin: unknown = body !== null && typeof body === 'object' ? Object.values(body)[0] : undefined
  const fields = new Map<string, unknown>(
    coin !== null && typeof coin === 'object' ? Object.entries(coin) : [],
  )
  const usd = fields.get('usd')
  if (typeof usd !== 'number' || !Number.isFinite(usd) || usd <= 0)
    throw new Error('no usd price in the answer')
  const change = fields.get('usd_24h_change')
  const updated = fields.get('last_updated_at')
  return {
    usd,
    change24hPercent: typeof change === 'number' && Number.isFinite(change) ? change : undefined,
    updatedAt: typeof updated === 'number' && updated > 0 ? Math.min(updated * 1000, now) : now,
  }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentPrice } from '#domain/network/price.ts'

const AT = Date.UTC(2026, 5, 15, 12)
const STALE_AFTER_MS = 180_000

async function openPrice() {
  const clock = { time: AT, now: () => clock.time }
  const feed = {
    source: 'test',
    read: async () => ({ usd: 1, change24hPercent: undefined, updatedAt: clock.time }),
  }
  const price = currentPrice({ feed, clock })
  await price.refresh(AbortSignal.timeout(1_000))
  return { clock, price }
}

test('a price is stale once three polls have failed, and also if the clock has stepped back by as much', async () => {
  const { clock, price } = await openPrice()
  for (const [change, isStale] of [
    [0, false],
    [STALE_AFTER_MS, false],
    [STALE_AFTER_MS + 1, true],
    [-STALE_AFTER_MS, false],
    [-STALE_AFTER_MS - 1, true],
    [-86_400_000, true],
  ] as const) {
    clock.time = AT + change
    assert.equal(price.read().stale, isStale, String(change))
    assert.equal(price.read().ageSeconds, Math.floor(Math.max(0, change) / 1_000))
  }
})

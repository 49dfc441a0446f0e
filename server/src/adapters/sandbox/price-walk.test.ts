import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { soon } from '../../../test/sandbox/test-chain.ts'
import { sandboxPriceFeed } from './price-walk.ts'

const priceAt = (seed: number, time: number) =>
  sandboxPriceFeed({ seed, clock: { now: () => time } }).read(soon())

test('the price depends on seed and time alone, is always above zero, and has its change over 24 hours', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 4e12 }), async (seed, time) => {
      const price = await priceAt(seed, time)
      assert.deepEqual(await priceAt(seed, time), price)
      assert.ok(price.usd > 0 && Number.isFinite(price.usd))
      const yesterday = await priceAt(seed, time - 86_400_000)
      const change = (price.usd / yesterday.usd - 1) * 100
      assert.ok(Math.abs((price.change24hPercent ?? Number.NaN) - change) < 0.01)
      assert.equal(price.updatedAt, time)
    }),
  )
})

test('the price moves less than 0.2% from minute to minute, and more than 1% over two days', async () => {
  const start = 1_800_000_000_000
  let moved = 0
  for (let minute = 0; minute < 3_000; minute += 1) {
    const [now, next] = [
      await priceAt(1, start + minute * 60_000),
      await priceAt(1, start + (minute + 1) * 60_000),
    ]
    assert.ok(Math.abs(next.usd / now.usd - 1) < 0.002)
    moved = Math.max(moved, Math.abs(now.usd / 0.04 - 1))
  }
  assert.ok(moved > 0.01)
  assert.notEqual((await priceAt(2, start)).usd, (await priceAt(1, start)).usd)
})

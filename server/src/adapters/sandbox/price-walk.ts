import type { Price, PriceFeed } from '#ports/chain/price-feed.ts'
import type { Clock } from '#ports/clock.ts'
import { DAY_MS, HOUR_MS } from '../../durations.ts'
import { rollOf } from './world/chance.ts'

const BASE_USD = 0.04

/** Slow waves move the price much and fast ones a little, so that together they look like a market. */
const WAVES = [
  { periodMs: 90 * DAY_MS, height: 0.5 },
  { periodMs: 14 * DAY_MS, height: 0.18 },
  { periodMs: 2 * DAY_MS, height: 0.06 },
  { periodMs: HOUR_MS, height: 0.012 },
] as const

/** A price computed from the seed and the time alone: nothing is stored, and all instances compute the same. */
export function sandboxPriceFeed({
  seed,
  clock,
}: {
  readonly seed: number
  readonly clock: Clock
}): PriceFeed {
  return {
    source: 'sandbox',
    read: async (): Promise<Price> => {
      const now = clock.now()
      const usd = priceAt(seed, now)
      const change = (usd / priceAt(seed, now - DAY_MS) - 1) * 100
      return { usd, change24hPercent: Math.round(change * 100) / 100, updatedAt: now }
    },
  }
}

/** The waves' heights bound the exponent, so the price stays between about half and twice its base. */
function priceAt(seed: number, time: number): number {
  const exponent = WAVES.reduce((sum, { periodMs, height }) => sum + height * wave(seed, periodMs, time), 0)
  return Number((BASE_USD * Math.exp(exponent)).toPrecision(6))
}

/** Value noise from −1 to 1: a random value at each multiple of the period, smoothly interpolated between them. */
function wave(seed: number, periodMs: number, time: number): number {
  const step = Math.floor(time / periodMs)
  const fraction = time / periodMs - step
  const knot = (index: number) => 2 * rollOf(seed, 'price', periodMs, index) - 1
  const eased = fraction * fraction * (3 - 2 * fraction)
  return knot(step) + (knot(step + 1) - knot(step)) * eased
}

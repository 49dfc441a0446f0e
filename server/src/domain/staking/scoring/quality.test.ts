import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleValidator, sampleNetwork } from '../../../../test/support/sample-network.ts'
import { measureQuality, type Quality } from './quality.ts'

const ORDINARY = Array.from({ length: 9 }, (_, index) => ({
  id: `o${index}`,
  stake: 1_000_000 * (1 + index),
}))

function qualityOf(
  one: Omit<SampleValidator, 'id'>,
  options: Parameters<typeof sampleNetwork>[1] = {},
): Quality {
  const { snapshot, records } = sampleNetwork([...ORDINARY, { id: 'x', ...one }], options)
  const quality = measureQuality(snapshot, records).get('x')
  assert.ok(quality)
  return quality
}

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} is not ${expected}`)

test('a flawless history is combined with a prior that weighs five epochs', () => {
  const { expected, epochs, missed } = qualityOf({ stake: 5_000_000 })
  near(expected, (30 + 5 * 0.95) / 35)
  assert.deepEqual([epochs, missed], [30, 0])
  near(qualityOf({ stake: 5_000_000, firstEpoch: 97 }).expected, (2 + 5 * 0.95) / 7)
  near(qualityOf({ stake: 5_000_000, firstEpoch: 100 }).expected, 0.95)
})

test('quality does not depend on size and commission, with either reward shape', () => {
  for (const shape of [{ kind: 'equal-share' }, { kind: 'proportional', capShare: 0.5 }] as const) {
    near(qualityOf({ stake: 800_000, commissionBps: 3_000 }, { shape }).expected, (30 + 5 * 0.95) / 35)
  }
})

test('spikes in up to 10% of the epochs add nothing', () => {
  const lucky = qualityOf({ stake: 5_000_000, earnedAt: (epoch) => (epoch % 14 === 0 ? 9 : 1) })
  near(lucky.expected, (30 + 5 * 0.95) / 35)
})

test('missed epochs lower the expected and the assured quality, and are counted', () => {
  const { expected, assured, deviation, missed } = qualityOf({
    stake: 5_000_000,
    earnedAt: (epoch) => (epoch % 5 === 0 ? 0 : 1),
  })
  assert.equal(missed, 6)
  near(expected, (24 + 5 * 0.95) / 35)
  assert.ok(deviation > 0.3)
  near(assured, expected - deviation / Math.sqrt(30))
})

test('with a commission of 100% the quality is the prior', () => {
  near(qualityOf({ stake: 5_000_000, commissionBps: 10_000 }).expected, 0.95)
})

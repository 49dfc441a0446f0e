import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork, variedValidators } from '../../../test/support/sample-network.ts'
import { apportionShards, leastForShard } from '../../shards.ts'
import { allocator } from './allocation/allocation.ts'
import { scoreValidators } from './scoring/score.ts'
import { curveAt, stakeOptionsOf } from './stake-options.ts'

const SHARDS = 1_000
const NODES = 100
const shape = { kind: 'proportional', capShare: 0.1, shards: SHARDS } as const

/** A network as large as Walrus. All nodes are flawless, so only stake, shards and commission differ. */
function storageNetwork(seed: number) {
  const nodes = variedValidators(NODES, seed).map((one) => ({ ...one, earnedAt: () => 1 }))
  const { snapshot, records } = sampleNetwork(nodes, { network: 'walrus', shape, yearlyRate: 0.1 })
  const scored = scoreValidators(snapshot, records)
  return { snapshot, scored, market: stakeOptionsOf(snapshot, scored) }
}

/** Oracle: the yearly pay of added stakes, by whole shards. */
function paidOn(
  { snapshot, market }: ReturnType<typeof storageNetwork>,
  added: ReadonlyMap<string, bigint>,
): number {
  const { validators } = snapshot
  const stakes = validators.map(({ id, nextStake }) => nextStake + (added.get(id) ?? 0n))
  const shards = apportionShards(stakes, SHARDS)
  return validators.reduce((sum, { id, commissionBps }, index) => {
    const pot = (market.pool.yearlyRewards * (shards[index] ?? 0)) / SHARDS
    const part = Number(added.get(id) ?? 0n) / Number(stakes[index] ?? 1n)
    return sum + pot * part * (1 - commissionBps / 10_000)
  }, 0)
}

test('the projected rate of a tiny stake equals the pay by whole shards', () => {
  const network = storageNetwork(1)
  const { market, scored } = network
  assert.equal(
    scored.reduce((sum, { nextShards = 0 }) => sum + nextShards, 0),
    SHARDS,
  )
  for (const option of market.options) {
    const { entry } = curveAt(market.pool, option, Number(option.stake), market.pool.totalStake)
    const paid = paidOn(network, new Map([[option.validatorId, 1n]]))
    assert(Math.abs(entry / paid - 1) < 1e-6, `${option.validatorId}: ${entry} is not ${paid}`)
  }
})

/** Bounds of paid / projected, by the amount in shards: see docs/allocation.md. */
const DIFFERENCES = [
  { shards: 0.01, least: 0.99, most: 1.01 },
  { shards: 0.1, least: 0.98, most: 1.01 },
  { shards: 1, least: 0.87, most: 1.02 },
  { shards: 3, least: 0.85, most: 1.02 },
  { shards: 10, least: 0.94, most: 1.02 },
  { shards: 100, least: 0.93, most: 1.03 },
] as const

test('the pay by whole shards is close to the projection of the optimiser', () => {
  for (const seed of [1, 2, 3]) {
    const network = storageNetwork(seed)
    const allocate = allocator(network.market)
    const price = leastForShard(
      network.snapshot.validators.map(({ nextStake }) => nextStake),
      SHARDS,
    )
    for (const { shards, least, most } of DIFFERENCES) {
      const amount = BigInt(Math.round(shards * Number(price)))
      const { allocations } = allocate({ amount, maxValidators: 5 })
      const added = new Map(allocations.map(({ validatorId, amount: part }) => [validatorId, part]))
      const projected = allocations.reduce(
        (sum, { amount: part, apy }) => sum + Number(part) * (365 * Math.expm1(Math.log1p(apy / 100) / 365)),
        0,
      )
      const ratio = paidOn(network, added) / projected
      assert(ratio > least && ratio < most, `seed ${seed}, ${shards} shards: ${ratio}`)
    }
  }
})

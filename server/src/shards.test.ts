import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { apportionShards, leastForShard, mostShards } from './shards.ts'

const SHARDS = 1_000
const stakes = fc.array(fc.bigInt({ min: 1n, max: 10n ** 17n }), { minLength: 1, maxLength: 60 })

/** D'Hondt by definition: one shard after the other to the highest quotient. */
function oneByOne(list: readonly bigint[], shards: number, most: number): readonly number[] {
  const given = list.map(() => 0)
  for (let shard = 0; shard < shards; shard += 1) {
    const open = list.map((_, index) => index).filter((index) => (given[index] ?? 0) < most)
    const best = open.reduce((a, b) => {
      const [one, other] = [
        (list[a] ?? 0n) * BigInt((given[b] ?? 0) + 1),
        (list[b] ?? 0n) * BigInt((given[a] ?? 0) + 1),
      ]
      return other > one ? b : a
    })
    given[best] = (given[best] ?? 0) + 1
  }
  return given
}

test('all shards are assigned, as by definition, and no node has more than the limit', () => {
  fc.assert(
    fc.property(stakes, (list) => {
      const given = apportionShards(list, SHARDS)
      const most = mostShards(list.length, SHARDS)
      assert.equal(
        given.reduce((sum, one) => sum + one, 0),
        SHARDS,
      )
      assert(given.every((one) => one <= most))
      assert.deepEqual(given, oneByOne(list, SHARDS, most))
    }),
    { numRuns: 30 },
  )
})

test('a node that joins with exactly the least stake gets a shard; with one unit less it gets none', () => {
  fc.assert(
    fc.property(stakes, (list) => {
      const least = leastForShard(list, SHARDS)
      const ofNewcomer = (stake: bigint) => apportionShards([...list, stake], SHARDS).at(-1) ?? 0
      assert(ofNewcomer(least) > 0)
      // In a small committee an additional node lowers the limit of all, so less stake may suffice.
      if (list.length >= 20) assert.equal(ofNewcomer(least - 1n), 0)
    }),
  )
})

test('with a hundred nodes of equal stake, a shard takes about a thousandth of the total', () => {
  const list = Array.from({ length: 100 }, () => 10n ** 15n)
  assert.deepEqual([...new Set(apportionShards(list, SHARDS))], [10])
  assert.equal(leastForShard(list, SHARDS), 10n ** 14n + 1n)
  assert.deepEqual(apportionShards([0n, 0n], SHARDS), [0, 0])
  assert.equal(leastForShard([], SHARDS), 1n)
})

test('the limit is a tenth of the shards, and higher in a committee of fewer than 20', () => {
  assert.deepEqual(
    [1, 3, 7, 19, 20, 111].map((nodes) => mostShards(nodes, SHARDS)),
    [1_000, 667, 286, 106, 100, 100],
  )
})

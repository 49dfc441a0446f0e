import assert from 'node:assert/strict'
import { apportionShards } from '../../src/shards.ts'
import { EPOCH, sampleNetwork } from './sample-network.ts'
import { type DescribedNetwork, idOf } from './world.ts'

const TOKEN = 1_000_000_000n
const SHARDS = 1_000
const PER_SHARD = TOKEN / 5n
const FIRST = EPOCH - 30

/** Nodes of many sizes and commissions, paid per whole shard in each epoch. */
export function storageNodes(count: number): DescribedNetwork {
  const [steady] = sampleNetwork().validators
  assert(steady)
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: idOf(0x5000 + index),
    commissionBps: (index * 170) % 1_500,
    shares: BigInt(3_000 + ((index * 7_919) % 50_000)) * TOKEN,
  }))
  const rates = nodes.map(({ shares }) => [{ epoch: FIRST, tokens: shares, shares }])
  let stakes = nodes.map(({ shares }) => shares)
  for (let epoch = FIRST + 1; epoch <= EPOCH; epoch += 1) {
    const shards = apportionShards(stakes, SHARDS)
    stakes = stakes.map((stake, index) => {
      const gross = PER_SHARD * BigInt(shards[index] ?? 0)
      return stake + (gross * BigInt(10_000 - (nodes[index]?.commissionBps ?? 0))) / 10_000n
    })
    for (const [index, { shares }] of nodes.entries())
      rates[index]?.push({ epoch, tokens: stakes[index] ?? 0n, shares })
  }
  const validators = nodes.map((node, index) => ({
    ...steady,
    ...node,
    name: `Node ${index}`,
    activationEpoch: FIRST,
    balance: stakes[index] ?? 0n,
    rates: rates[index] ?? [],
    pendingStake: [],
    preActiveWithdrawals: [],
    pendingCommission: [],
  }))
  return sampleNetwork({ validators, tokens: [], reported: [] })
}

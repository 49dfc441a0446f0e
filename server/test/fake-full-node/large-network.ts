import assert from 'node:assert/strict'
import { sampleNetwork } from './sample-network.ts'
import { type DescribedNetwork, idOf } from './world.ts'

export type LargeNetwork = {
  readonly committee: number
  /** The present epoch. */
  readonly newest: number
  /** Number of earlier epochs for which each member has a rate. */
  readonly history: number
}

/** Size of mainnet: a full committee, whose members have a rate for every epoch that a first start reads. */
export const MAINNET_SIZE: LargeNetwork = { committee: 110, newest: 140, history: 90 }

export function largeNetwork(
  { committee, newest, history }: LargeNetwork,
  changes: Partial<DescribedNetwork> = {},
): DescribedNetwork {
  const [steady] = sampleNetwork().validators
  assert.ok(steady)
  const rates = Array.from({ length: history + 1 }, (_, step) => ({
    epoch: newest - history + step,
    tokens: BigInt(1_000 + step) * 1_000_000_000n,
    shares: 1_000_000_000_000n,
  }))
  const validators = Array.from({ length: committee }, (_, index) => ({
    ...steady,
    id: idOf(0x1000 + index),
    activationEpoch: newest - history,
    rates,
    pendingStake: [],
    preActiveWithdrawals: [],
    pendingCommission: [],
  }))
  return sampleNetwork({ epoch: newest, validators, tokens: [], reported: [], ...changes })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EpochRecord, StakedToken } from '#ports/chain/staking-chain.ts'
import { rewardsByEpoch } from './rewards-by-epoch.ts'

/** A token of 1,000 units with 1,000 shares, whose worth is that of the rate. */
const tokenFrom = (activationEpoch: number, rewards: bigint): StakedToken => ({
  id: 't',
  owner: 'o',
  withdrawEpoch: undefined,
  validatorId: 'v',
  principal: 1_000n,
  rewards,
  shares: 1_000n,
  activationEpoch,
})

/** Records with this worth of 1,000 units after each epoch. */
const recordsOf = (worths: Readonly<Record<number, bigint>>): readonly EpochRecord[] =>
  Object.entries(worths).map(([epoch, tokens]) => ({
    validatorId: 'v',
    epoch: Number(epoch),
    endedAt: Number(epoch),
    rate: { tokens, shares: 1_000n },
    stake: 1_000n,
    commissionBps: 0,
    commissionSource: 'read',
    performed: true,
  }))

const split = (token: StakedToken, worths: Readonly<Record<number, bigint>>) =>
  Object.fromEntries(rewardsByEpoch(token, recordsOf(worths), 20))

test('rewards of a token whose every epoch is on record are split over all of them', () => {
  const worths = { 15: 1_010n, 16: 1_025n, 17: 1_030n }
  assert.deepEqual(split(tokenFrom(15, 30n), worths), { 15: 10n, 16: 15n, 17: 5n })
})

test('the first epoch of a run that begins after the activation is not split: it holds all that was earned before', () => {
  const worths = { 15: 1_010n, 16: 1_025n, 17: 1_030n }
  assert.deepEqual(split(tokenFrom(12, 30n), worths), { 16: 15n, 17: 5n })
})

test('only the newest run without a gap is split', () => {
  const worths = { 12: 1_001n, 13: 1_002n, 15: 1_010n, 16: 1_025n, 17: 1_030n }
  assert.deepEqual(split(tokenFrom(12, 30n), worths), { 16: 15n, 17: 5n })
})

test('nothing is split if the records do not lead to the rewards that the chain would pay', () => {
  assert.deepEqual(split(tokenFrom(15, 31n), { 15: 1_010n, 16: 1_030n }), {})
})

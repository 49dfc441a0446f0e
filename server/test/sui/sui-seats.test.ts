import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { leastJoiningStake, leastSafeStake, SEAT_POWER } from '#adapters/sui/networks/native/seats.ts'
import { sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { runs } from '../support/repetitions.ts'
import { openTestChain, soon, WORLDS } from './opened-chain.ts'

/**
 * Effect of `validator_set` on a member at the end of an epoch, with the constants of `sui_types::governance` for phase
 * 3 of SIP-39 (minimum 3, low 2, very low 1, grace period 7).
 */
function seatAfter(stake: bigint, total: bigint, epochsAtRisk: number): 'safe' | 'probation' | 'leaves' {
  const power = (stake * 10_000n) / total
  if (power >= 2n) return 'safe'
  if (power < 1n) return 'leaves'
  return epochsAtRisk + 1 > 7 ? 'leaves' : 'probation'
}

test('the thresholds are those of the chain', () => {
  assert.deepEqual(SEAT_POWER, { join: 3n, low: 2n, veryLow: 1n, all: 10_000n, probationEpochs: 7 })
  const total = 10_000n
  assert.deepEqual(
    [3n, 2n, 1n, 0n].map((stake) => seatAfter(stake, total, 0)),
    ['safe', 'safe', 'probation', 'leaves'],
  )
  assert.deepEqual(
    [6, 7].map((epochs) => seatAfter(1n, total, epochs)),
    ['probation', 'leaves'],
  )
})

test('leastSafeStake is exactly the smallest stake that the contract treats as safe, for any total', () => {
  const total = fc.bigInt({ min: 10_000n, max: 2n ** 63n })
  fc.assert(
    fc.property(total, fc.nat(7), (all, epochs) => {
      const least = leastSafeStake(all)
      assert.equal(seatAfter(least, all, epochs), 'safe')
      assert.notEqual(seatAfter(least - 1n, all, epochs), 'safe')
    }),
    runs(1_000),
  )
})

test('leastJoiningStake is exactly the smallest stake with which the contract lets a candidate join', () => {
  const mayJoin = (stake: bigint, total: bigint) => (stake * 10_000n) / (total + stake) >= 3n
  fc.assert(
    fc.property(fc.bigInt({ min: 10_000n, max: 2n ** 63n }), (total) => {
      const least = leastJoiningStake(total)
      assert.ok(mayJoin(least, total))
      assert.ok(!mayJoin(least - 1n, total))
    }),
    runs(1_000),
  )
})

test('a snapshot of Sui has the exact minimum stake, and the number of epochs that a member has been at risk', async () => {
  const network = sampleNetwork()
  const validators = network.validators.map((validator) =>
    validator.id === VALIDATORS.steady ? { ...validator, balance: validator.balance + 1n } : validator,
  )
  await using opened = await openTestChain('sui', [WORLDS.sui({ ...network, validators })])
  const snapshot = await opened.chain.readSnapshot(soon())
  const total = snapshot.validators.reduce((sum, { stake }) => sum + stake, 0n)
  assert.equal(total % 5_000n, 1n)
  assert.equal(snapshot.system.minValidatorStake, (total * 2n) / 10_000n + 1n)
  const greedy = snapshot.validators.find(({ id }) => id === VALIDATORS.greedy)
  assert.equal(greedy?.facts?.atRiskEpochs, 3)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import {
  epochsUntilActive,
  epochsUntilFree,
  membershipOf,
  nextRuleChange,
  startOfEpoch,
  type WithdrawalPath,
  withdrawalPath,
} from './epoch-rules.ts'

const E = 40
const TWO_STEP_NETWORKS = ['ika', 'walrus', 'sandbox'] as const
const now: WithdrawalPath = { kind: 'withdraw_now' }
const requestFor = (atEpoch: number): WithdrawalPath => ({ kind: 'request', atEpoch })
const waitFor = (atEpoch: number): WithdrawalPath => ({ kind: 'wait', atEpoch })

const NEITHER = { inCommittee: false, inNextCommittee: false }
const CURRENT = { inCommittee: true, inNextCommittee: false }
const NEXT = { inCommittee: false, inNextCommittee: true }
const BOTH = { inCommittee: true, inNextCommittee: true }

const momentOf = (network: NetworkName, nextCommitteeSelected: boolean) => ({
  network,
  epoch: { number: E, nextCommitteeSelected },
})
const staked = (activationEpoch: number) => ({ activationEpoch, withdrawEpoch: undefined })
const requested = (withdrawEpoch: number) => ({ activationEpoch: E - 3, withdrawEpoch })

for (const network of TWO_STEP_NETWORKS) {
  describe(`${network}: two steps`, () => {
    test('a stake is active in the next epoch, or in the one after once the next committee is selected', () => {
      assert.equal(epochsUntilActive(momentOf(network, false)), 1)
      assert.equal(epochsUntilActive(momentOf(network, true)), 2)
    })

    const rows = [
      ['active in two epochs, selected', staked(E + 2), BOTH, true, now],
      ['active in two epochs, outside', staked(E + 2), NEITHER, true, now],
      ['active in the next epoch, nothing selected', staked(E + 1), CURRENT, false, now],
      ['active in the next epoch, others selected', staked(E + 1), CURRENT, true, now],
      ['active in the next epoch, outside', staked(E + 1), NEITHER, true, now],
      ['active in the next epoch, selected again', staked(E + 1), BOTH, true, requestFor(E + 2)],
      ['active in the next epoch, selected newly', staked(E + 1), NEXT, true, requestFor(E + 2)],
      ['active since this epoch, nothing selected', staked(E), CURRENT, false, requestFor(E + 1)],
      ['active, nothing selected', staked(E - 9), CURRENT, false, requestFor(E + 1)],
      ['active, selected again', staked(E - 9), BOTH, true, requestFor(E + 2)],
      ['active, selected newly', staked(E - 9), NEXT, true, requestFor(E + 2)],
      ['active, others selected', staked(E - 9), CURRENT, true, requestFor(E + 1)],
      ['active, outside, nothing selected', staked(E - 9), NEITHER, false, now],
      ['active, outside, others selected', staked(E - 9), NEITHER, true, now],
      ['requested for the next epoch', requested(E + 1), CURRENT, false, waitFor(E + 1)],
      ['requested for the one after', requested(E + 2), BOTH, true, waitFor(E + 2)],
      ['requested for this epoch', requested(E), BOTH, false, now],
      ['requested for an earlier epoch', requested(E - 2), NEITHER, false, now],
    ] as const
    for (const [name, token, membership, selected, expected] of rows) {
      test(name, () =>
        assert.deepEqual(withdrawalPath(token, membership, momentOf(network, selected)), expected),
      )
    }
  })
}

describe('sui: one step', () => {
  test('a stake is always active in the next epoch', () => {
    assert.equal(epochsUntilActive(momentOf('sui', false)), 1)
    assert.equal(epochsUntilActive(momentOf('sui', true)), 1)
  })

  test('one call pays out in every state of the stake and of its validator', () => {
    for (const activationEpoch of [E - 9, E, E + 1]) {
      for (const membership of [NEITHER, CURRENT, NEXT, BOTH]) {
        assert.deepEqual(withdrawalPath(staked(activationEpoch), membership, momentOf('sui', false)), now)
        assert.equal(epochsUntilFree('sui', membership), 0)
      }
    }
  })
})

test('a leaving validator is still in the committee; an unlisted one is in none', () => {
  assert.deepEqual(membershipOf({ status: 'active', inNextCommittee: undefined }), CURRENT)
  assert.deepEqual(membershipOf({ status: 'leaving', inNextCommittee: false }), CURRENT)
  assert.deepEqual(membershipOf({ status: 'active', inNextCommittee: true }), BOTH)
  for (const status of ['candidate', 'pending', 'inactive'] as const) {
    assert.deepEqual(membershipOf({ status, inNextCommittee: undefined }), NEITHER)
    assert.deepEqual(membershipOf({ status, inNextCommittee: true }), NEXT)
  }
  assert.deepEqual(membershipOf(undefined), NEITHER)
})

const epoch = { number: E, startedAt: 1_000, durationMs: 101, nextCommitteeSelected: false }

test('an epoch is due a whole number of epoch lengths from the current one', () => {
  assert.deepEqual(
    [E - 1, E, E + 2].map((number) => startOfEpoch({ epoch }, number)),
    [899, 1_000, 1_202],
  )
})

test('the rules change when the selection of the next committee is due, otherwise when the epoch ends', () => {
  const selected = { ...epoch, nextCommitteeSelected: true }
  for (const network of TWO_STEP_NETWORKS) {
    assert.equal(nextRuleChange({ network, epoch }), 1_050)
    assert.equal(nextRuleChange({ network, epoch: selected }), 1_101)
  }
  assert.equal(nextRuleChange({ network: 'sui', epoch }), 1_101)
})

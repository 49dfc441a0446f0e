import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import { sampleNetwork, variedValidators } from '../../../../test/support/sample-network.ts'
import type { History } from '../history.ts'
import { viewNetwork } from '../network-view.ts'

const digest = (text: string) => hash('sha256', text)
const { snapshot, records } = sampleNetwork(variedValidators(30, 7))
const history: History = { newestEpoch: snapshot.epoch.number - 1, byValidator: records }
const [first = assert.fail(), ...others] = snapshot.validators
const larger = { ...first, stake: 3n * first.stake, nextStake: 2n * first.nextStake }

/** Possible next snapshots, by the changed property. */
const CHANGES: Readonly<Record<string, Partial<ChainSnapshot>>> = {
  'the stake of a validator': { validators: [larger, ...others] },
  'the order of validators': { validators: snapshot.validators.toReversed() },
  'the number of validators': { validators: others },
  'the epoch': { epoch: { ...snapshot.epoch, number: snapshot.epoch.number + 1 } },
  'the length of epochs': { epoch: { ...snapshot.epoch, durationMs: snapshot.epoch.durationMs / 2 } },
  'the reward shape': {
    rewards: { ...snapshot.rewards, shape: { kind: 'proportional', capShare: 0.1 } },
  },
}

for (const [what, change] of Object.entries(CHANGES)) {
  test(`scores do not depend on the view before (${what} changes)`, () => {
    const before = viewNetwork(snapshot, history, digest)
    const next = { ...snapshot, ...change }
    const { scored } = viewNetwork(next, history, digest, before)
    assert.deepEqual(scored, viewNetwork(next, history, digest).scored)
    assert.notDeepEqual(next, snapshot)
  })
}

for (const what of ['the length of epochs', 'the reward shape']) {
  test(`the errors of past projections do not depend on the view before (${what} changes)`, () => {
    const before = viewNetwork(snapshot, history, digest)
    assert.ok(before.calibration(7))
    const next = { ...snapshot, ...CHANGES[what] }
    const { calibration } = viewNetwork(next, history, digest, before)
    assert.deepEqual(calibration(7), viewNetwork(next, history, digest).calibration(7))
  })
}

test('a new epoch without its records leaves the errors of past projections as they were', () => {
  const before = viewNetwork(snapshot, history, digest)
  const { calibration } = viewNetwork({ ...snapshot, ...CHANGES['the epoch'] }, history, digest, before)
  assert.deepEqual(calibration(7), before.calibration(7))
})

test('a new validator is scored, although the view before did not have it', () => {
  const before = viewNetwork({ ...snapshot, validators: others }, history, digest)
  const { scored } = viewNetwork(snapshot, history, digest, before)
  assert.deepEqual(scored, viewNetwork(snapshot, history, digest).scored)
})

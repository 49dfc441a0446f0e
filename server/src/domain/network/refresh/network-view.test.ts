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

/** What a node may say next, by what changes. */
const CHANGES: Readonly<Record<string, Partial<ChainSnapshot>>> = {
  'the stake of one': { validators: [larger, ...others] },
  'the order': { validators: snapshot.validators.toReversed() },
  'one has left': { validators: others },
  'the epoch': { epoch: { ...snapshot.epoch, number: snapshot.epoch.number + 1 } },
  'how long an epoch is': { epoch: { ...snapshot.epoch, durationMs: snapshot.epoch.durationMs / 2 } },
  'how rewards are shared': {
    rewards: { ...snapshot.rewards, shape: { kind: 'proportional', capShare: 0.1 } },
  },
}

for (const [what, change] of Object.entries(CHANGES)) {
  test(`scores are the same whether or not there was a view before (${what} changes)`, () => {
    const before = viewNetwork(snapshot, history, digest)
    const next = { ...snapshot, ...change }
    const { scored } = viewNetwork(next, history, digest, before)
    assert.deepEqual(scored, viewNetwork(next, history, digest).scored)
    assert.notDeepEqual(next, snapshot)
  })
}

test('one that is new is scored with the others', () => {
  const before = viewNetwork({ ...snapshot, validators: others }, history, digest)
  const { scored } = viewNetwork(snapshot, history, digest, before)
  assert.deepEqual(scored, viewNetwork(snapshot, history, digest).scored)
})

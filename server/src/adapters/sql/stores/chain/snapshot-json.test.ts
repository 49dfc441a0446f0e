import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork } from '../../../../../test/support/sample-network.ts'
import { readSnapshot, writeSnapshot } from './snapshot-json.ts'

test('a snapshot is read as it was written, and one without a stake threshold is refused with its path', () => {
  const { snapshot } = sampleNetwork([], { minValidatorStake: 30n })
  assert.deepEqual(readSnapshot(writeSnapshot(snapshot)).system, snapshot.system)
  const stored = JSON.parse(writeSnapshot(snapshot))
  delete stored.system.minValidatorStake
  assert.throws(() => readSnapshot(JSON.stringify(stored)), /snapshot\.system\.minValidatorStake/)
})

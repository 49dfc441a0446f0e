import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork } from '../../../../../test/support/sample-network.ts'
import { readSnapshot, writeSnapshot } from './snapshot-json.ts'

test('a snapshot stored with a single stake threshold has it for newcomers and members', () => {
  const { snapshot } = sampleNetwork([], { minValidatorStake: 30n })
  const stored = JSON.parse(writeSnapshot(snapshot))
  delete stored.system.minValidatorStake
  stored.system.minValidatorJoiningStake = '31'
  const { system } = readSnapshot(JSON.stringify(stored))
  assert.deepEqual([system.minValidatorJoiningStake, system.minValidatorStake], [31n, 31n])
  assert.deepEqual(readSnapshot(writeSnapshot(snapshot)).system, snapshot.system)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork } from '../../../../test/support/sample-network.ts'
import { rewardPoolOf } from './reward-pool.ts'

const validators = [
  { id: 'stays', stake: 100 },
  { id: 'joins', stake: 50, status: 'pending' },
  { id: 'leaves', stake: 30, status: 'leaving' },
  { id: 'left', stake: 20, status: 'inactive' },
  { id: 'candidate', stake: 10, status: 'candidate' },
] as const

test('before the next committee is selected, staying and joining validators share the rewards', () => {
  const { members, totalStake } = rewardPoolOf(sampleNetwork(validators).snapshot)
  assert.deepEqual([members, totalStake], [2, 150e9])
})

test('once the next committee is selected, only its members share the rewards', () => {
  const selected = validators.map((one) => ({ ...one, inNextCommittee: one.id === 'joins' }))
  const { snapshot } = sampleNetwork(selected, { nextCommitteeSelected: true })
  const { members, totalStake } = rewardPoolOf(snapshot)
  assert.deepEqual([members, totalStake], [1, 50e9])
})

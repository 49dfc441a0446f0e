import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleValidator, sampleNetwork, TOKEN } from '../../../../test/support/sample-network.ts'
import { rateRetention } from './committee-risk.ts'

const outside = { status: 'inactive', inNextCommittee: false } as const
const waiting: SampleValidator = { id: 'z', stake: 1_000_000, ...outside }
const inside = [1_010_000, 1_050_000, 1_100_000, 1_300_000].map((stake) => ({ id: `v${stake}`, stake }))

const setOf = (members: number, maxMembers: number) => ({
  members,
  minMembers: 0,
  maxMembers,
  changesLeft: undefined,
})

function retentions(
  validators: readonly SampleValidator[],
  options: Parameters<typeof sampleNetwork>[1],
): readonly number[] {
  const { snapshot } = sampleNetwork(validators, options)
  const retention = rateRetention(snapshot)
  return snapshot.validators.map((validator) => Number(retention(validator).toFixed(3)))
}

test('without a full set and without a joining stake the retention is 1', () => {
  for (const activeSet of [undefined, setOf(4, 102)]) {
    const options = activeSet && { activeSet }
    assert.deepEqual(retentions([...inside, waiting], options).slice(0, 4), [1, 1, 1, 1])
    const { snapshot } = sampleNetwork(inside, options)
    const empty = snapshot.validators.map((validator) => ({ ...validator, nextStake: 0n }))
    assert.deepEqual(empty.map(rateRetention({ ...snapshot, validators: empty })), [1, 1, 1, 1])
  }
})

test('in a full set, retention falls as the stake comes closer to that of the largest candidate', () => {
  const activeSet = setOf(4, 4)
  assert.deepEqual(retentions([...inside, waiting], { activeSet }).slice(0, 4), [0.582, 0.776, 0.915, 0.999])
})

test('a large validator that stays out of the set by choice only lowers the retention of the smallest member', () => {
  const [smallest, next] = retentions(
    [
      { id: 'a', stake: 500 },
      { id: 'b', stake: 900 },
      { id: 'c', stake: 5_000, ...outside },
    ],
    { activeSet: setOf(2, 2) },
  )
  assert.equal(smallest, 0.526)
  assert.equal(next, 1)
})

test('retention falls near the minimum stake of the network, even if the set is not full', () => {
  const minValidatorStake = 1_000_000n * TOKEN
  assert.deepEqual(retentions(inside, { minValidatorStake }), [0.863, 0.912, 0.951, 0.996])
})

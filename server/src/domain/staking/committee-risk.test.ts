import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SampleValidator, sampleNetwork, TOKEN } from '../../../test/sample-network.ts'
import { retentionIn } from './committee-risk.ts'

const outside = { status: 'inactive', inNextCommittee: false } as const

function retentions(validators: readonly SampleValidator[], joining = 0n): readonly number[] {
  const { snapshot } = sampleNetwork(validators, { minValidatorJoiningStake: joining })
  const retention = retentionIn(snapshot)
  return snapshot.validators.map((validator) => Number(retention(validator).toFixed(3)))
}

test('without anybody outside and without a joining stake, nobody is in danger', () => {
  assert.deepEqual(
    retentions([
      { id: 'a', stake: 1 },
      { id: 'b', stake: 1_000_000 },
    ]),
    [1, 1],
  )
})

test('the nearer to the largest one waiting outside, the less a rate is worth', () => {
  const waiting = { id: 'z', stake: 1_000_000, ...outside }
  const inside = [1_010_000, 1_050_000, 1_100_000, 1_300_000].map((stake) => ({ id: `v${stake}`, stake }))
  assert.deepEqual(retentions([...inside, waiting]).slice(0, 4), [0.797, 0.896, 0.955, 0.998])
})

test('a large validator that stays outside by choice puts nobody in danger who is well above the smallest', () => {
  const [smallest, next] = retentions([
    { id: 'a', stake: 500 },
    { id: 'b', stake: 900 },
    { id: 'c', stake: 5_000, ...outside },
  ])
  assert.equal(smallest, 0.76)
  assert.equal(next, 1)
})

test('the least that the network demands counts like a competitor', () => {
  assert.deepEqual(
    retentions(
      [
        { id: 'a', stake: 1_000 },
        { id: 'b', stake: 2_000 },
      ],
      1_000n * TOKEN,
    ),
    [0.76, 1],
  )
})

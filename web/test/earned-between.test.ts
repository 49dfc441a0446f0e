import assert from 'node:assert/strict'
import { test } from 'node:test'
import { earnedBetween } from '../src/data/account/earned.ts'

const at = (epoch: number, rewards: string, principal = '100') => ({ epoch, principal, rewards })
const PAID = [
  { epoch: 4, rewards: '3' },
  { epoch: 5, rewards: '2' },
  { epoch: 7, rewards: '5' },
]

test('epochs that were passed at once are listed one by one, up to the present holding', () => {
  assert.deepEqual(earnedBetween(at(3, '1'), at(8, '11'), PAID), [
    at(4, '1'),
    at(5, '4'),
    at(6, '6'),
    at(7, '6'),
  ])
})

test('the list is empty if the principal changed, no epoch was passed, or there is no earlier reading', () => {
  assert.deepEqual(earnedBetween(at(3, '1', '50'), at(8, '11'), PAID), [])
  assert.deepEqual(earnedBetween(at(7, '6'), at(8, '11'), PAID), [])
  assert.deepEqual(earnedBetween(undefined, at(8, '11'), PAID), [])
})

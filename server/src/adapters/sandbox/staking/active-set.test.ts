import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Abort } from '../transactions/abort.ts'
import type { ActiveSet } from './active-set.ts'
import {
  enterMember,
  removeMember,
  restakeMembers,
  SET_LIMITS,
  stakeToEnter,
  updateMember,
} from './active-set.ts'
import { shareRewards } from './rewards.ts'

const JOINING = SET_LIMITS.joiningStake

const setOf = (count: number): ActiveSet => ({
  members: Array.from({ length: count }, (_, index) => ({ id: `v${index}`, stake: JOINING + BigInt(index) })),
  changes: [],
})

const abortsWith = (code: number) => (error: unknown) =>
  error instanceof Abort && error.refusal.module === 'pending_active_set' && error.refusal.code === code

test('a full set replaces its smallest member by a validator with more stake, not by one with equal stake', () => {
  const full = setOf(SET_LIMITS.maxMembers)
  assert.deepEqual(enterMember(full, 'new', JOINING), { set: full, inSet: false, removed: undefined })
  const change = enterMember(full, 'new', JOINING + 1n)
  assert.deepEqual(
    [change.inSet, change.removed, change.set.members.length],
    [true, 'v0', SET_LIMITS.maxMembers],
  )
})

test('a validator with exactly the stake to enter gets in; with one unit less it does not', () => {
  for (const count of [0, 5, SET_LIMITS.maxMembers - 1, SET_LIMITS.maxMembers]) {
    const set = setOf(count)
    const least = stakeToEnter(set)
    assert.equal(enterMember(set, 'new', least).inSet, true)
    assert.equal(enterMember(set, 'new', least - 1n).inSet, false)
  }
})

test('members stay ascending by stake', () => {
  const entered = enterMember(setOf(5), 'new', JOINING + 2n).set
  const { members } = restakeMembers(entered, new Map([['v0', JOINING + 9n]]))
  assert.deepEqual(
    members.map(({ stake }) => stake),
    members.map(({ stake }) => stake).toSorted((a, b) => Number(a - b)),
  )
  assert.equal(members.at(-1)?.id, 'v0')
})

test('one unit below the joining stake removes a member; updating the stake of an outsider does not add it', () => {
  assert.equal(updateMember(setOf(5), 'v3', JOINING - 1n).removed, 'v3')
  assert.equal(updateMember(setOf(5), 'v3', JOINING).inSet, true)
  assert.equal(updateMember(setOf(5), 'new', JOINING).inSet, false)
})

test('a member cannot be removed from a set of the minimum size: abort 3', () => {
  assert.throws(() => removeMember(setOf(SET_LIMITS.minMembers), 'v1'), abortsWith(3))
  assert.equal(removeMember(setOf(SET_LIMITS.minMembers + 1), 'v1').members.length, SET_LIMITS.minMembers)
})

test('the eleventh change of an epoch: abort 4; two changes of one validator count once', () => {
  let set = setOf(20)
  for (let index = 0; index < SET_LIMITS.maxChanges; index += 1) set = removeMember(set, `v${index}`)
  assert.throws(() => removeMember(set, 'v15'), abortsWith(4))
  assert.equal(enterMember(set, 'v3', JOINING).inSet, true)
})

test('members share rewards equally, the share of an absent one goes to the others, the remainder stays in the pot', () => {
  const members = ['a', 'b', 'c', 'd']
  const all = shareRewards(1_003n, members, new Set())
  assert.deepEqual([[...all.shares.values()], all.left], [[250n, 250n, 250n, 250n], 3n])
  const three = shareRewards(1_003n, members, new Set(['b']))
  assert.deepEqual([[...three.shares.values()], three.left], [[333n, 0n, 333n, 333n], 4n])
  assert.equal(shareRewards(1_003n, members, new Set(members)).left, 1_003n)
  assert.equal(shareRewards(1_003n, [], new Set()).left, 1_003n)
})

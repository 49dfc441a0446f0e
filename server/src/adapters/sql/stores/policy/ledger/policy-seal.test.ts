import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSecrets } from '../../../../system/system-secrets.ts'
import { ledgerSeal, type ReservationRow, type SumsRow } from './ledger-seal.ts'
import { arePolicies, type PolicyRow, sealPolicies } from './policy-seal.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

const revision = (no: number, holdsUntil: number | null): PolicyRow => ({
  agent_no: 7,
  revision: no,
  hash: `hash ${no}`,
  document: `{"no":${no}}`,
  changed_at: no,
  changed_by: 'ann',
  changed_role: 'user',
  loosen_ms: 5,
  holds_until: holdsUntil,
  mac: null,
})

const sealed = sealPolicies(secrets, [revision(1, 10), revision(2, 20), revision(3, null)], 7)

/** A value that differs from the given one. */
const other = (value: unknown) => (typeof value === 'number' ? value + 1 : value === null ? 1 : `${value}x`)

test('revisions are valid as they were sealed: all of them, in order, each with the seal of the one before', () => {
  assert(arePolicies(secrets, sealed))
  assert(arePolicies(secrets, []))
  assert.equal(arePolicies(secrets, sealed.slice(0, 2)), false, 'the newest is missing')
  assert.equal(arePolicies(secrets, sealed.slice(1)), false, 'the first is missing')
  assert.equal(arePolicies(secrets, sealed.toSpliced(1, 1)), false, 'one between is missing')
  assert.equal(arePolicies(secrets, sealed.toReversed()), false)
  const again = sealPolicies(secrets, [revision(1, 11), revision(2, 20), revision(3, null)], 7)
  assert.equal(
    arePolicies(secrets, again.toSpliced(0, 1, ...sealed.slice(0, 1))),
    false,
    'of another history',
  )
  assert.equal(
    arePolicies(openSecrets({ keyPrefix: 'stk', pepper: 'another pepper, as long' }), sealed),
    false,
  )
})

test('any change of any column of any revision is noticed', () => {
  for (const [at, row] of sealed.entries())
    for (const column of Object.keys(row)) {
      const changed = { ...row, [column]: other(row[column as keyof PolicyRow]) }
      assert.equal(arePolicies(secrets, sealed.toSpliced(at, 1, changed)), false, `${at} ${column}`)
    }
  const unsealed = sealed.map((row) => ({ ...row, mac: null }))
  assert.equal(arePolicies(secrets, unsealed), false)
})

test('an earlier revision without an end, or a newest one with an end, is not valid', () => {
  const endless = sealPolicies(secrets, [revision(1, null), revision(2, null)], 7)
  const ended = sealPolicies(secrets, [revision(1, 10), revision(2, 20)], 7)
  assert.deepEqual([arePolicies(secrets, endless), arePolicies(secrets, ended)], [false, false])
})

test('a change of any column of a reservation or a sum is noticed, also once its seal is cached', () => {
  const seal = ledgerSeal(secrets)
  const bare = {
    id: 'rsv_1',
    intent_id: 'i',
    agent_no: 7,
    at: 1,
    later_at: 4,
    expires_at: 2,
    epoch: 3,
    sender: null,
    items: '[]',
  }
  const row = { ...bare, state: 'counts' }
  const reservation: ReservationRow = { ...row, mac: seal.sealReservation(row) }
  const sums = { agent_no: 7, level: 1, begins: 0, entries: 1, moved: '1,0,0,0', epoch: null, in_epoch: null }
  const sum: SumsRow = { ...sums, mac: seal.sealSums(sums) }
  for (const look of [seal, ledgerSeal(secrets), seal]) {
    assert(look.isReservation(reservation) && look.isSums(sum))
    for (const column of Object.keys(reservation)) {
      const changed = { ...reservation, [column]: other(reservation[column as keyof ReservationRow]) }
      assert.equal(look.isReservation(changed), false, column)
    }
    for (const column of Object.keys(sum)) {
      const changed = { ...sum, [column]: other(sum[column as keyof SumsRow]) }
      assert.equal(look.isSums(changed), false, column)
    }
    assert.equal(look.isReservation({ ...reservation, mac: null }), false)
  }
})

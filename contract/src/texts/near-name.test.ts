import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/any-text.ts'
import { editDistance, nearestName } from './near-name.ts'

const KNOWN = ['amount', 'maxValidators', 'exclude', 'riskAversion', 'sort']

test('a name in another style or with a typo gives the name that was meant', () => {
  for (const given of ['max_validators', 'MaxValidators', 'max-validators', 'maxvalidator', 'maxValidatros'])
    assert.equal(nearestName(given, KNOWN), 'maxValidators', given)
  assert.equal(nearestName('ammount', KNOWN), 'amount')
  assert.equal(nearestName('short', KNOWN), 'sort')
})

test('a synonym that other services use gives our name, unless it is ambiguous', () => {
  assert.equal(nearestName('wallet', ['owner', 'limit']), 'owner')
  assert.equal(nearestName('from', ['validatorId', 'sender']), 'sender')
  assert.equal(nearestName('top', ['limit', 'sort']), 'limit')
  assert.equal(nearestName('positionId', ['stakedTokenId', 'amount']), 'stakedTokenId')
  assert.equal(nearestName('address', ['owner', 'sender']), undefined)
  assert.equal(nearestName('wallet', ['amount']), undefined)
})

test('a name that is not close to a known one gives undefined', () => {
  for (const given of ['', 'x', 'tier', 'validators', 'a'.repeat(100_000)])
    assert.equal(nearestName(given, KNOWN), undefined, given.slice(0, 20))
})

test('the distance is a metric', () => {
  // Some letters take two units of UTF-16, of which some are equal.
  const letter = fc.oneof(fc.constantFrom('a', 'b', '😀', '😁', '𝒜'), anyText({ maxLength: 1 }))
  const text = fc.string({ unit: letter, maxLength: 12 })
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      assert.equal(editDistance(a, b) === 0, a === b)
      assert.equal(editDistance(a, a), 0)
      assert.equal(editDistance(a, b), editDistance(b, a))
      assert(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c))
    }),
  )
})

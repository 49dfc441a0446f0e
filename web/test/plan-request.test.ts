import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import fc from 'fast-check'
import { heldQuery, ownerQuery, readPlanRequest } from '../src/data/rebalance/plan-request.ts'

const LONGEST_ID = `0x${'f'.repeat(64)}`

test('the longest positions of a plan fit into a URL that the service accepts', () => {
  const longest = { validatorId: LONGEST_ID, stakedTokenId: LONGEST_ID, principal: String(2n ** 64n - 1n) }
  const query = heldQuery(Array.from({ length: LIMITS.rebalancePositions }, () => longest))
  assert.equal(new URLSearchParams(query).toString(), query, 'nothing of it is escaped')
  assert('/rebalance?'.length + query.length < LIMITS.urlBytes, `${query.length} characters`)
})

const id = fc.bigInt({ min: 0x10000n, max: 2n ** 256n - 1n }).map((value) => `0x${value.toString(16)}`)
const position = fc.record(
  {
    validatorId: id,
    stakedTokenId: id,
    principal: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String),
  },
  { noNullPrototype: true },
)

test('positions and owner survive a round trip through the URL', () => {
  fc.assert(
    fc.property(fc.array(position, { minLength: 1, maxLength: LIMITS.rebalancePositions }), (positions) => {
      assert.deepEqual(readPlanRequest(new URLSearchParams(heldQuery(positions))), {
        kind: 'held',
        positions,
      })
    }),
  )
  fc.assert(
    fc.property(id, fc.nat(999), (owner, from) => {
      const request = readPlanRequest(new URLSearchParams(ownerQuery(owner, from)))
      assert.deepEqual(request, { kind: 'owner', owner, from })
    }),
  )
})

test('positions and an owner in one URL are a problem', () => {
  const request = readPlanRequest(new URLSearchParams('held=0x1-1&owner=0x2'))
  assert.equal(request.kind, 'problem')
})

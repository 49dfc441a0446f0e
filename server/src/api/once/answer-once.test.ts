import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/support/test-clock.ts'
import { Fault } from '../../fault.ts'
import { answerOnce } from './answer-once.ts'

const REQUEST = { key: 'one', requester: 'ann', endpoint: 'rotateKey', status: 200, input: {} } as const
const REFUSED = new Fault('forbidden', 'The agent is revoked.', { fix: 'Register another.' })
const AWAY = new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.')

/** A request that fails with this error, on a store that fails from the second look-up on. */
function failWith(error: Error) {
  const lookUps: string[] = []
  const once = answerOnce({
    find: async (digest) => {
      lookUps.push(digest)
      if (lookUps.length > 1) throw AWAY
      return undefined
    },
    secrets: { digest: (_of, text) => text },
    clock: testClock(),
  })
  const failed = once(REQUEST, async () => {
    throw error
  })
  return { failed, lookUps }
}

test('a refusal is kept if the look-up for a concurrent request with the same key fails', async () => {
  const { failed, lookUps } = failWith(REFUSED)
  await assert.rejects(failed, REFUSED)
  assert.equal(lookUps.length, 2)
})

test('an unexpected error is reported without a look-up for a concurrent request', async () => {
  const bug = new TypeError('a bug')
  const { failed, lookUps } = failWith(bug)
  await assert.rejects(failed, bug)
  assert.equal(lookUps.length, 1)
})

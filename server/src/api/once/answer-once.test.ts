import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../../../test/support/test-clock.ts'
import { Fault } from '../../fault.ts'
import { answerOnce } from './answer-once.ts'

const REQUEST = { key: 'one', requester: 'ann', endpoint: 'rotateKey', status: 200, input: {} } as const
const REFUSED = new Fault('forbidden', 'The agent is revoked.', { fix: 'Register another.' })
const AWAY = new Fault('store_not_ready', 'The data store cannot be used right now; try again shortly.')

/** The request that fails with this error, on a store that can answer one look-up only. */
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

test('a refusal stands where it cannot be looked up whether a request beside it was answered', async () => {
  const { failed, lookUps } = failWith(REFUSED)
  await assert.rejects(failed, REFUSED)
  assert.equal(lookUps.length, 2)
})

test('a bug is no sign of a request beside it: it is reported and nothing is looked up', async () => {
  const bug = new TypeError('a bug')
  const { failed, lookUps } = failWith(bug)
  await assert.rejects(failed, bug)
  assert.equal(lookUps.length, 1)
})

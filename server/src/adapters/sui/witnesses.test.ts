import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINT_LIMITS } from './connection/endpoint.ts'
import { witnessesOf } from './witnesses.ts'

test('a round that fails as a whole is not cached: the next caller asks again', async () => {
  let rounds = 0
  const { ask } = witnessesOf({
    endpoints: {
      limits: ENDPOINT_LIMITS,
      hostCount: 1,
      async askEach() {
        rounds += 1
        if (rounds === 1) throw new Error('out of memory')
        return []
      },
    },
    reader: { readState: () => assert.fail('no endpoint is asked') },
    clock: { now: () => 0 },
  })
  const { signal } = new AbortController()
  await assert.rejects(ask(signal), /out of memory/)
  assert.deepEqual(await ask(signal), [])
})

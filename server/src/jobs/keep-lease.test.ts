import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../test/support/silent-logger.ts'
import { keepLease } from './keep-lease.ts'

test('a lease that expires while the store does not answer is logged as lost', async () => {
  const lost = Promise.withResolvers<void>()
  const events: string[] = []
  const info = (event: string) => {
    events.push(event)
    if (event === 'lease lost') lost.resolve()
  }
  const away = Promise.withResolvers<never>()
  let asked = 0
  const leases = {
    hold: async () => (asked++ === 0 ? { isHeld: true, storeNow: Date.now() } : away.promise),
    release: async () => {},
  }
  const keepsAlive = setInterval(() => {}, 1_000)
  const lease = await keepLease({
    leases,
    name: 'jobs',
    clock: { now: Date.now },
    logger: { ...silentLogger, info },
  })
  await lost.promise
  clearInterval(keepsAlive)
  assert.equal(lease.isHeld(), false)
  assert.deepEqual(events, ['lease taken', 'lease lost'])
  away.reject(new Error('the store is away'))
  await lease[Symbol.asyncDispose]()
})

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

/** A lease whose store answers so late; `endsAt` is when the store gives it to another instance. */
async function lateLease(lateMs: number) {
  const events: string[] = []
  let now = 1_000
  let endsAt = 0
  const lease = await keepLease({
    leases: {
      // The store counts the lease from when it gets the request.
      async hold(_, forMs) {
        endsAt = now + forMs
        now += lateMs
        return { isHeld: true, storeNow: 0 }
      },
      release: async () => {},
    },
    name: 'jobs',
    clock: { now: Date.now },
    logger: { ...silentLogger, info: (event) => void events.push(event) },
    now: () => now,
  })
  return {
    lease,
    events,
    endsAt,
    isHeldAt(time: number) {
      now = time
      return lease.isHeld()
    },
  }
}

test('a lease whose store answers two seconds late ends here no later than in the store', async () => {
  const { lease, events, endsAt, isHeldAt } = await lateLease(2_000)
  await using _ = lease
  assert.deepEqual(events, ['lease taken'])
  assert.equal(isHeldAt(endsAt - 1), true)
  assert.equal(isHeldAt(endsAt), false)
})

test('a lease whose store answers when it has ended is never held', async () => {
  const { lease, events } = await lateLease(6_000)
  await using _ = lease
  assert.equal(lease.isHeld(), false)
  assert.deepEqual(events, [])
})

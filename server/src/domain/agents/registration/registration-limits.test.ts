import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOUR_MS } from '../../../durations.ts'
import { registrationLimits, registrationRefused, sandboxKeyLimits } from './registration-limits.ts'

const QUOTA = { perIpHour: 3, perIpDay: 10, perDay: 100 }
const LENGTHS = {
  'ip-hour': HOUR_MS,
  'ip-day': 24 * HOUR_MS,
  'global-day': 24 * HOUR_MS,
  'sandbox-ip-hour': HOUR_MS,
}
const moments = fc.integer({ min: 0, max: Date.UTC(2100, 0) })

test('the windows are the UTC hour and the UTC day that contain the moment', () => {
  fc.assert(
    fc.property(moments, (now) => {
      const limits = [...registrationLimits(QUOTA, 'ip', now), ...sandboxKeyLimits(100, 'ip', now)]
      for (const { name, windowStart, windowEnd } of limits) {
        assert(windowStart <= now && now < windowEnd)
        assert.equal(windowEnd - windowStart, LENGTHS[name])
        const start = new Date(windowStart).toISOString()
        assert(start.endsWith(LENGTHS[name] === HOUR_MS ? ':00:00.000Z' : 'T00:00:00.000Z'), start)
      }
    }),
  )
})

test('the limits per address have its key; the daily limit has one key for all', () => {
  const [hour, day, all] = registrationLimits(QUOTA, 'ip', 0)
  assert.deepEqual([hour?.limit, day?.limit, all?.limit], [3, 10, 100])
  assert.deepEqual([hour?.key, day?.key], ['ip', 'ip'])
  assert.equal(all?.key, registrationLimits(QUOTA, 'another ip', 0)[2]?.key)
})

test('Retry-After is the smallest number of seconds after which the window has ended', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 86_400_000 }), (now, wait) => {
      const fault = registrationRefused({ kind: 'limited', by: 'ip-hour', retryAt: now + wait }, now)
      const seconds = fault.retryAfterSeconds ?? 0
      assert.equal(fault.code, 'rate_limited')
      assert(Number.isInteger(seconds) && seconds >= 1)
      assert(now + seconds * 1_000 >= now + wait)
      assert(now + (seconds - 1) * 1_000 < now + wait)
    }),
  )
})

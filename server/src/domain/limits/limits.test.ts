import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideBreaker } from './decide-breaker.ts'
import { hashKey, hitTable } from './hit-table.ts'
import { breaker } from './shed-load.ts'
import { steadyTime } from './steady-time.ts'
import { throttleAddresses } from './throttle-addresses.ts'
import { charge } from './window.ts'

const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)

test('a hit table counts every key separately, like a Map', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3_000 }), fc.integer(), (keys, seed) => {
      const table = hitTable()
      const model = new Map<string, number>()
      for (const key of keys) {
        model.set(key, (model.get(key) ?? 0) + 1)
        assert.equal(table.add(hashKey(key, seed), 1), model.get(key))
      }
    }),
    { numRuns: 50 },
  )
})

test('a million addresses are counted without a collision', () => {
  const table = hitTable()
  for (let at = 0; at < 1_000_000; at += 1) {
    assert.equal(table.add(hashKey(`10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`, 12_345), 1), 1)
  }
})

test('an address gets exactly its limit in every minute, even if the clock jumps', () => {
  const clockSteps = fc.array(fc.integer({ min: -4 * MINUTE, max: 3 * MINUTE }), {
    maxLength: 200,
    size: 'max',
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), clockSteps, (perMinute, moves) => {
      const throttle = throttleAddresses({ perMinute, seed: 7 })
      let now = START + 1_000 * MINUTE
      let minute = 0
      let admitted = 0
      for (const move of moves) {
        // Half of the time the clock stands still, so that minutes fill up.
        now += move % 2 === 0 ? move : 0
        const present = now - (now % MINUTE)
        if (present > minute || present < minute - 5 * MINUTE) {
          minute = present
          admitted = 0
        }
        const { isLimited, retryAt } = throttle.hit('192.0.2.1', now)
        assert.equal(isLimited, admitted >= perMinute)
        assert.equal(retryAt, minute + MINUTE)
        if (!isLimited) admitted += 1
      }
    }),
  )
})

test('restored counts from before a restart still count', () => {
  const before = throttleAddresses({ perMinute: 3, seed: 1 })
  before.hit('192.0.2.2', START - MINUTE)
  const { count: old } = before.hit('192.0.2.2', START - MINUTE)
  before.hit('192.0.2.1', START)
  const { count } = before.hit('192.0.2.1', START)
  const throttle = throttleAddresses({ perMinute: 3, seed: 1 })
  throttle.restore(count)
  throttle.restore({ ...old, hits: 3 })
  assert.equal(throttle.hit('192.0.2.1', START).isLimited, false)
  assert.equal(throttle.hit('192.0.2.1', START).isLimited, true)
  assert.equal(throttle.hit('192.0.2.2', START).isLimited, false)
})

test('minute and day are charged together or not at all, and a clock that steps back does not refill them', () => {
  const commands = fc.array(fc.integer({ min: -2 * 86_400_000, max: 86_400_000 }), { maxLength: 300 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 9 }),
      commands,
      (rpm, rpd, moves) => {
        const used = new Map<string, number>()
        let activity: Parameters<typeof charge>[0]
        let now = START
        let high = 0
        for (const move of moves) {
          // Mostly small steps, so that windows fill up; this clock steps back by less than five minutes.
          now = Math.max(high - 299_999, now + Math.trunc(move / 2_000))
          high = Math.max(high, now)
          const minute = `m${Math.floor(high / MINUTE)}`
          const day = `d${Math.floor(high / 86_400_000)}`
          const outcome = charge(activity, { rpm, rpd }, now)
          const fits = (used.get(minute) ?? 0) < rpm && (used.get(day) ?? 0) < rpd
          assert.equal(outcome.kind, fits ? 'charged' : 'limited')
          if (outcome.kind === 'limited') continue
          activity = outcome.used
          used.set(minute, (used.get(minute) ?? 0) + 1)
          used.set(day, (used.get(day) ?? 0) + 1)
          assert.equal(outcome.quota.usedMinute, used.get(minute))
          assert.equal(outcome.quota.usedDay, used.get(day))
        }
      },
    ),
  )
})

test('the breaker opens with the first request above the limit, not before', () => {
  const load = breaker({ perMinute: 10_000 })
  for (let sent = 0; sent < 10_000; sent += 1) assert.equal(load.hit(START + sent * 5).isOpen, false)
  assert.equal(load.hit(START + 50_000).isOpen, true)
})

test('the breaker stays open while traffic is above 90% of the limit, and closes after five calm seconds', () => {
  const load = breaker({ perMinute: 1_000 })
  let now = START
  const send = (perSecond: number, seconds: number) => {
    let changes = 0
    let last = false
    for (let sent = 0; sent < perSecond * seconds; sent += 1) {
      now += 1000 / perSecond
      const { isOpen, changed } = load.hit(now)
      last = isOpen
      if (changed) changes += 1
    }
    return { last, changes }
  }
  assert.deepEqual(send(10, 60), { last: false, changes: 0 })
  assert.deepEqual(send(20, 60), { last: true, changes: 1 })
  // 950 a minute is below the limit, but not calm.
  assert.deepEqual(send(950 / 60, 120), { last: true, changes: 0 })
  assert.deepEqual(send(10, 60), { last: false, changes: 1 })
})

test('a clock that jumps neither opens the breaker nor keeps it open', () => {
  for (const jump of [-1_000, -30_000, -86_400_000, 86_400_000]) {
    const load = breaker({ perMinute: 100 })
    let now = START
    const send = (perSecond: number, seconds: number) => {
      let isOpen = false
      for (let sent = 0; sent < perSecond * seconds; sent += 1) {
        now += 1000 / perSecond
        isOpen = load.hit(now).isOpen
      }
      return isOpen
    }
    assert.equal(send(1.5, 120), false)
    now += jump
    assert.equal(send(1.5, 120), false, `calm after ${jump}`)
    assert.equal(send(3, 60), true)
    now -= jump
    // After a jump of a day forward, the trailing minute is empty.
    assert.equal(send(3, 10), Math.abs(jump) < 86_400_000 || jump > 0, `busy after ${-jump}`)
    assert.equal(send(1, 70), false, `calm again after ${-jump}`)
  }
})

test('steadyTime continues at the pace of the clock after the clock steps back', () => {
  const steady = steadyTime()
  assert.deepEqual([100, 150, 20, 30, 500, 400, 410].map(steady), [100, 150, 150, 160, 630, 630, 640])
})

test('a limit of 0: retryAt is the end of the day', () => {
  for (const limits of [
    { rpm: 0, rpd: 5 },
    { rpm: 5, rpd: 0 },
    { rpm: 0, rpd: 0 },
  ]) {
    const outcome = charge(undefined, limits, START)
    assert(outcome.kind === 'limited')
    assert.equal(outcome.retryAt, START + 86_400_000)
  }
})

test('an open breaker closes after exactly five seconds below 90% of the limit', () => {
  const judge = decideBreaker({ perMinute: 100 })
  assert.equal(judge(101, START).isOpen, true)
  assert.equal(judge(89, START + 1_000).isOpen, true)
  assert.equal(judge(89, START + 5_999).isOpen, true)
  assert.equal(judge(90, START + 6_000).isOpen, true, 'nine tenths are not calm')
  assert.equal(judge(89, START + 7_000).isOpen, true)
  assert.equal(judge(89, START + 12_000).isOpen, false)
})

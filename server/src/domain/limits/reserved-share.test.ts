import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../durations.ts'
import { reserveShare } from './reserved-share.ts'

const START = Date.UTC(2026, 0, 5, 12)

test('admitted requests use up the share, and it comes back with the minute', () => {
  const share = reserveShare({ perMinute: 5, seed: 1 })
  for (let count = 0; count < 5; count += 1) {
    share.seen(START)
    assert(share.passes('key', START), `request ${count}`)
    share.admitted('key', START)
  }
  assert.equal(share.passes('key', START), false)
  assert.equal(share.passes('another', START), false)
  assert.equal(share.passes('key', START + 59_900), false)
  assert.equal(share.passes('key', START + 60_000), true)
})

test('credentials that nobody has use up their own part; those that were admitted go on for an hour', () => {
  const share = reserveShare({ perMinute: 5, seed: 1 })
  share.admitted('known', START)
  for (let forged = 0; forged < 5; forged += 1) assert(share.passes(`forged ${forged}`, START))
  assert.equal(share.passes('forged 6', START), false)
  assert.equal(share.passes('known', START), true)
  // Two generations: at least an hour, and at most two.
  assert.equal(passesAmongForged(share, 'known', START + HOUR_MS), true)
  assert.equal(passesAmongForged(share, 'known', START + 3 * HOUR_MS), false)
})

function passesAmongForged(share: ReturnType<typeof reserveShare>, credential: string, now: number): boolean {
  for (let forged = 0; forged < 9; forged += 1) share.passes(`forged ${forged} ${now}`, now)
  return share.passes(credential, now)
}

test('a known credential that needs none of the work passes within the total only', () => {
  const share = reserveShare({ perMinute: 5, seed: 1 })
  share.admitted('known', START - 61_000)
  let passed = 0
  for (let count = 0; count < 20; count += 1) if (share.passes('known', START)) passed += 1
  assert.equal(passed, 5)
})

test('an instance takes its own share of admitted requests for that of all', () => {
  const share = reserveShare({ perMinute: 10, seed: 1 })
  // Ten of the forty of all instances came here, four of them admitted: about sixteen in all.
  for (let count = 0; count < 10; count += 1) share.seen(START, 40)
  for (let count = 0; count < 4; count += 1) share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
  const few = reserveShare({ perMinute: 17, seed: 1 })
  for (let count = 0; count < 10; count += 1) few.seen(START, 40)
  for (let count = 0; count < 4; count += 1) few.admitted('key', START)
  assert.equal(few.passes('key', START), true)
})

test('one request of many that all instances count weighs as much as all of them', () => {
  const share = reserveShare({ perMinute: 10, seed: 1 })
  share.seen(START, 10)
  share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
})

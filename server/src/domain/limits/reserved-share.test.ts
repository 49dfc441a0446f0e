import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../durations.ts'
import { reserveShare } from './reserved-share.ts'

const START = Date.UTC(2026, 0, 5, 12)

/** A share of `perMinute`, asked as somebody of an address of their own would ask. */
function openShare({ perMinute, wastedPerMinute = 1_000 }: { perMinute: number; wastedPerMinute?: number }) {
  const share = reserveShare({ perMinute, wastedPerMinute, seed: 1 })
  let addresses = 0
  return {
    ...share,
    passes(credential: string | undefined, now: number, from: { client?: string; isWayIn?: boolean } = {}) {
      addresses += 1
      return share.passes({ client: `10.0.0.${addresses}`, isWayIn: false, ...from, credential }, now)
    },
  }
}

type Share = ReturnType<typeof openShare>

test('admitted requests use up the share, and it comes back with the minute', () => {
  const share = openShare({ perMinute: 5 })
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

test('credentials that nobody has use up their own part, and a few of each address; known ones go on for an hour', () => {
  const share = openShare({ perMinute: 5 })
  share.admitted('known', START)
  useUpTries(share, START)
  assert.equal(share.passes('known', START), true)
  assert.equal(share.passes('new', START, { client: 'an address of its own' }), true)
  // Two generations: at least an hour, and at most two.
  useUpTries(share, START + HOUR_MS)
  assert.equal(share.passes('known', START + HOUR_MS, FLOODING), true)
  useUpTries(share, START + 3 * HOUR_MS)
  assert.equal(share.passes('known', START + 3 * HOUR_MS, FLOODING), false)
})

const FLOODING = { client: 'the address of the flood' }

function useUpTries(share: Share, now: number): void {
  const passed = Array.from({ length: 20 }, (_, at) => share.passes(`forged ${at}`, now, FLOODING))
  assert.equal(passed.filter(Boolean).length, 15)
}

test('what a known credential asks without being admitted is its own waste, and takes nothing from others', () => {
  const share = openShare({ perMinute: 5, wastedPerMinute: 3 })
  for (const credential of ['wasteful', 'other']) share.admitted(credential, START - 61_000)
  const passed = Array.from({ length: 20 }, () => share.passes('wasteful', START))
  assert.equal(passed.filter(Boolean).length, 3)
  assert.equal(share.passes('other', START), true)
  assert.equal(share.passes('wasteful', START + 60_000), true)
})

test('what is admitted is no waste', () => {
  const share = openShare({ perMinute: 50, wastedPerMinute: 3 })
  share.admitted('known', START - 61_000)
  for (let count = 0; count < 40; count += 1) {
    assert.equal(share.passes('known', START), true)
    share.admitted('known', START)
  }
})

test('what is admitted makes up for itself, and for no waste', () => {
  const share = openShare({ perMinute: 50, wastedPerMinute: 3 })
  share.admitted('known', START - 61_000)
  assert.equal(share.passes('known', START), true)
  share.admitted('known', START)
  const passed = Array.from({ length: 20 }, () => share.passes('known', START))
  assert.equal(passed.filter(Boolean).length, 3)
})

test('every address has a few ways in, even when the share is used up', () => {
  const share = openShare({ perMinute: 5 })
  for (let count = 0; count < 5; count += 1) share.admitted('key', START)
  const wayIn = { client: '10.9.9.9', isWayIn: true }
  const passed = Array.from({ length: 20 }, () => share.passes(undefined, START, wayIn))
  assert.equal(passed.filter(Boolean).length, 10)
  assert.equal(share.passes(undefined, START, { ...wayIn, client: '10.9.9.8' }), true)
  assert.equal(share.passes(undefined, START), false)
  assert.equal(share.passes(undefined, START + 60_000, wayIn), true)
})

test('an instance takes its own share of admitted requests for that of all', () => {
  const share = openShare({ perMinute: 10 })
  // Ten of the forty of all instances came here, four of them admitted: about sixteen in all.
  for (let count = 0; count < 10; count += 1) share.seen(START, 40)
  for (let count = 0; count < 4; count += 1) share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
  const few = openShare({ perMinute: 17 })
  for (let count = 0; count < 10; count += 1) few.seen(START, 40)
  for (let count = 0; count < 4; count += 1) few.admitted('key', START)
  assert.equal(few.passes('key', START), true)
})

test('one request of many that all instances count weighs as much as all of them', () => {
  const share = openShare({ perMinute: 10 })
  share.seen(START, 10)
  share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
})

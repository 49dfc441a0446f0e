import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '../../durations.ts'
import { reserveShare } from './reserved-share.ts'

const START = Date.UTC(2026, 0, 5, 12)

/** A share of `perMinute`; by default each request comes from a new address. */
function openShare({ perMinute, wastedPerMinute = 1_000 }: { perMinute: number; wastedPerMinute?: number }) {
  const share = reserveShare({ perMinute, wastedPerMinute, seed: 1 })
  let addresses = 0
  return {
    ...share,
    passes(
      credential: string | undefined,
      now: number,
      from: { client?: string; isSignInOrRevoke?: boolean } = {},
    ) {
      addresses += 1
      return share.passes(
        { client: `10.0.0.${addresses}`, isSignInOrRevoke: false, ...from, credential },
        now,
      )
    },
  }
}

type Share = ReturnType<typeof openShare>

test('admitted requests use up the share, which is available again after a minute', () => {
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

test('forged credentials only use up the tries for unknown ones, then a few per address; known ones pass for an hour', () => {
  const share = openShare({ perMinute: 5 })
  share.admitted('known', START)
  useUpTries(share, START)
  assert.equal(share.passes('known', START), true)
  assert.equal(share.passes('new', START, { client: 'an address of its own' }), true)
  // Two generations: at least an hour. Under traffic at most two; without any, generations do not change.
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

test('requests of a known credential that are not admitted are limited per credential', () => {
  const share = openShare({ perMinute: 5, wastedPerMinute: 3 })
  for (const credential of ['wasteful', 'other']) share.admitted(credential, START - 61_000)
  const passed = Array.from({ length: 20 }, () => share.passes('wasteful', START))
  assert.equal(passed.filter(Boolean).length, 3)
  assert.equal(share.passes('other', START), true)
  assert.equal(share.passes('wasteful', START + 60_000), true)
})

test('admitted requests do not count as waste', () => {
  const share = openShare({ perMinute: 50, wastedPerMinute: 3 })
  share.admitted('known', START - 61_000)
  for (let count = 0; count < 40; count += 1) {
    assert.equal(share.passes('known', START), true)
    share.admitted('known', START)
  }
})

test('an admitted request offsets only itself, not earlier or later waste', () => {
  const share = openShare({ perMinute: 50, wastedPerMinute: 3 })
  share.admitted('known', START - 61_000)
  assert.equal(share.passes('known', START), true)
  share.admitted('known', START)
  const passed = Array.from({ length: 20 }, () => share.passes('known', START))
  assert.equal(passed.filter(Boolean).length, 3)
})

test('every address has a few requests for signing in per minute, even if the share is used up', () => {
  const share = openShare({ perMinute: 5 })
  for (let count = 0; count < 5; count += 1) share.admitted('key', START)
  const signIn = { client: '10.9.9.9', isSignInOrRevoke: true }
  const passed = Array.from({ length: 20 }, () => share.passes(undefined, START, signIn))
  assert.equal(passed.filter(Boolean).length, 10)
  assert.equal(share.passes(undefined, START, { ...signIn, client: '10.9.9.8' }), true)
  assert.equal(share.passes(undefined, START), false)
  assert.equal(share.passes(undefined, START + 60_000, signIn), true)
})

test('an instance extrapolates the admitted requests of all from its own part of the traffic', () => {
  const share = openShare({ perMinute: 10 })
  // 10 of the 40 requests of all instances came here, 4 of them admitted: an estimated 16 in total.
  for (let count = 0; count < 10; count += 1) share.seen(START, 40)
  for (let count = 0; count < 4; count += 1) share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
  const few = openShare({ perMinute: 17 })
  for (let count = 0; count < 10; count += 1) few.seen(START, 40)
  for (let count = 0; count < 4; count += 1) few.admitted('key', START)
  assert.equal(few.passes('key', START), true)
})

test('a single local request is extrapolated to the count of all instances', () => {
  const share = openShare({ perMinute: 10 })
  share.seen(START, 10)
  share.admitted('key', START)
  assert.equal(share.passes('key', START), false)
})

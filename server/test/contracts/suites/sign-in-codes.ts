import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RegistrationLimit } from '#ports/stores/agents.ts'
import type { CodeIssue } from '#ports/stores/users.ts'
import { HOUR_MS } from '../../../src/durations.ts'
import { ADA, codeOf, ISSUED, type OpenedCodes, openCodes, TRIES } from './opened-codes.ts'
import { codeFor, dayLimit, NOW } from './sample-codes.ts'

/** The guarantees of every store of sign-in codes. `open` opens an empty one. */
export function signInCodesSuite(name: string, open: () => Promise<OpenedCodes>): void {
  const openWith = (...issues: readonly CodeIssue[]) => openCodes(open, issues)
  const right = `code of ${ADA}`

  suite(`sign-in codes: ${name}`, () => {
    test('the right code works once, and its long code is used up with it', async () => {
      await using store = await openWith(codeFor(ADA, { longCode: codeOf('long') }))
      assert.equal(await store.redeem(right), true)
      assert.equal(await store.redeem(right), false)
      assert.equal(await store.redeem('long', { kind: 'long_code' }), false)
    })

    test('of simultaneous uses of the right code exactly one signs in', async () => {
      await using store = await openWith(codeFor(ADA))
      const tries = await Promise.all(Array.from({ length: 4 }, () => store.redeem(right)))
      assert.equal(tries.filter(Boolean).length, 1)
    })

    test('a code works until the last millisecond before its end, and not at it', async () => {
      for (const kind of ['code', 'long_code'] as const) {
        for (const [after, works] of [
          [599_999, true],
          [600_000, false],
        ] as const) {
          await using store = await openWith(codeFor(ADA, { longCode: codeOf('long') }))
          const digest = kind === 'code' ? right : 'long'
          assert.equal(await store.redeem(digest, { kind, now: NOW + after }), works)
        }
      }
    })

    test('a code that expired only by a clock ahead works again once that is right; its tries still count', async () => {
      for (const [wrong, works] of [
        [4, true],
        [5, false],
      ] as const) {
        await using store = await openWith(codeFor(ADA))
        for (let count = 0; count < wrong; count += 1) assert.equal(await store.redeem('wrong'), false)
        assert.equal(await store.redeem(right, { now: NOW + 600_000 }), false)
        assert.equal(await store.redeem(right), works)
      }
    })

    test('the fifth try of a network may still be the right one, the sixth may not', async () => {
      for (const [wrong, works] of [
        [4, true],
        [5, false],
      ] as const) {
        await using store = await openWith(codeFor(ADA))
        for (let count = 0; count < wrong; count += 1) assert.equal(await store.redeem('wrong'), false)
        assert.equal(await store.redeem(right), works)
      }
    })

    test('of a hundred simultaneous guesses from one network only the first five can be right', async () => {
      for (const position of [4, 5, 50, 99]) {
        await using store = await openWith(codeFor(ADA))
        const guesses = Array.from({ length: 100 }, (_, index) =>
          index === position ? right : `guess ${index}`,
        )
        const outcomes = await Promise.all(guesses.map((guess) => store.redeem(guess)))
        // Concurrent transactions may reorder neighbouring guesses, but not over fifty places.
        if (position >= 50) assert.equal(outcomes.some(Boolean), false)
        assert(outcomes.filter(Boolean).length <= 1)
        assert.equal(await store.redeem(right), false)
      }
    })

    test('wrong tries from other networks do not use up those of the network that asked for the code', async () => {
      await using store = await openWith(codeFor(ADA))
      const guesses = Array.from({ length: 60 }, (_, index) =>
        store.redeem('wrong', { networkDigest: `network ${index % 20}` }),
      )
      assert.deepEqual(new Set(await Promise.all(guesses)), new Set([false]))
      assert.equal(await store.redeem(right), true)
    })

    test('all other networks together have five tries, and a familiar one has its own', async () => {
      for (const [wrong, works] of [
        [4, true],
        [5, false],
      ] as const) {
        await using store = await openWith(codeFor(ADA))
        for (let count = 0; count < wrong; count += 1)
          assert.equal(await store.redeem('wrong', { networkDigest: `network ${count}` }), false)
        assert.equal(await store.redeem(right, { networkDigest: 'elsewhere' }), works)
      }
      await using store = await openWith(codeFor(ADA, { code: codeOf('earlier') }))
      assert.equal(await store.redeem('earlier', { networkDigest: 'office' }), true)
      await store.codes.issue(codeFor(ADA))
      for (let count = 0; count < 20; count += 1)
        await store.redeem('wrong', { networkDigest: `network ${count}` })
      assert.equal(await store.redeem(right, { networkDigest: 'office' }), true)
    })

    test('the long code works after any number of wrong tries from any network', async () => {
      await using store = await openWith(codeFor(ADA, { longCode: codeOf('long') }))
      for (const networkDigest of ['home', 'a', 'b', 'c']) {
        for (let count = 0; count < 6; count += 1) await store.redeem('wrong', { networkDigest })
      }
      assert.equal(await store.redeem('wrong', { kind: 'long_code' }), false)
      assert.equal(await store.redeem('long', { kind: 'long_code', networkDigest: 'a' }), true)
    })

    test('the long code of one address does not work for another', async () => {
      await using store = await openWith(codeFor('eve@example.com', { longCode: codeOf('long') }))
      assert.equal(await store.redeem('long', { kind: 'long_code' }), false)
    })

    test('a newer code leaves the older one as it is, and has its own tries', async () => {
      await using store = await openWith(codeFor(ADA))
      for (let count = 0; count < TRIES.perNetwork; count += 1) await store.redeem('wrong')
      await store.codes.issue(codeFor(ADA, { code: codeOf('newer') }))
      await store.codes.issue(codeFor(ADA, { code: codeOf('newest') }))
      assert.equal(await store.redeem(right), false)
      assert.equal(await store.redeem('newest'), true)
      assert.equal(await store.redeem('newer'), true)
    })

    test('the code of one address does not work for another', async () => {
      await using store = await openWith(codeFor(ADA), codeFor('eve@example.com'))
      assert.equal(await store.redeem('code of eve@example.com'), false)
      assert.equal(await store.redeem(right), true)
    })

    test('an address that has used up its mails gets the same answer but no mail, and its codes still work', async () => {
      await using store = await openWith()
      const budget = {
        cap: { key: ADA, limit: 3, since: NOW - 86_400_000, now: NOW },
        resendAfterMs: HOUR_MS,
      }
      const budgets = { familiar: budget, known: budget, unknown: budget }
      for (let count = 1; count <= 50; count += 1) {
        assert.deepEqual(
          await store.codes.issue(codeFor(ADA, { code: codeOf(`code ${count}`), budgets })),
          ISSUED,
        )
      }
      assert.equal(await store.mails(), 3)
      assert.equal(await store.redeem('code 50'), false)
      for (const digest of ['code 3', 'code 1', 'code 2']) assert.equal(await store.redeem(digest), true)
    })

    test('beyond the cap a mail is sent when no unused code is young enough', async () => {
      await using store = await openWith()
      const issueAt = (now: number) => {
        const budget = { cap: { key: ADA, limit: 1, since: now - 86_400_000, now }, resendAfterMs: HOUR_MS }
        const budgets = { familiar: budget, known: budget, unknown: budget }
        const code = { digest: `code ${now - NOW}`, expiresAt: now + 600_000 }
        return store.codes.issue(codeFor(ADA, { now, code, budgets }))
      }
      for (const after of [0, 1, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1]) await issueAt(NOW + after)
      assert.equal(await store.mails(), 2)
      assert.equal(await store.redeem(`code ${HOUR_MS}`, { now: NOW + HOUR_MS + 2 }), true)
      await issueAt(NOW + HOUR_MS + 3)
      assert.equal(await store.mails(), 3)
    })

    test('beyond the common limit unproven addresses get the same answer but no mail; proven ones are exempt', async () => {
      await using store = await openWith()
      const unknownLimit = dayLimit(NOW, 2)
      for (let count = 0; count < 5; count += 1) {
        assert.deepEqual(
          await store.codes.issue(codeFor(`stranger-${count}@example.com`, { unknownLimit })),
          ISSUED,
        )
      }
      assert.equal(await store.mails(), 2)
      await store.codes.issue(codeFor(ADA, { unknownLimit, isAdmin: true }))
      assert.equal(await store.redeem(right), true)
      await store.codes.issue(codeFor(ADA, { unknownLimit, code: codeOf('again') }))
      assert.equal(await store.redeem('again'), true)
    })

    test('beyond a limit nothing is mailed, and the refusal says when the limit ends', async () => {
      await using store = await openWith()
      const limit: RegistrationLimit = {
        name: 'ip-hour',
        key: 'somewhere',
        windowStart: NOW,
        windowEnd: NOW + HOUR_MS,
        latestStart: NOW,
        limit: 3,
      }
      const issue = (count: number) =>
        store.codes.issue(codeFor(ADA, { code: codeOf(`code ${count}`), limits: [limit] }))
      const outcomes = await Promise.all([1, 2, 3, 4, 5].map(issue))
      const limited = outcomes.filter(({ kind }) => kind === 'limited')
      const refused = { kind: 'limited', retryAt: NOW + HOUR_MS }
      assert.deepEqual(limited, [refused, refused])
      assert.equal(await store.mails(), 3)
      for (const count of [1, 2, 3, 4, 5]) {
        const wasIssued = outcomes[count - 1]?.kind === 'issued'
        const networkDigest = `network ${count}`
        assert.equal(await store.redeem(`code ${count}`, { networkDigest }), wasIssued)
      }
    })
  })
}

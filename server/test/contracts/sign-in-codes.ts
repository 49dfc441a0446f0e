import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { RegistrationLimit } from '#ports/agents.ts'
import type { Outbox } from '#ports/outbox.ts'
import type { SignInCodes } from '#ports/users.ts'
import { type CodeIssue, codeFor, NOW } from './sample-codes.ts'

type Opened = AsyncDisposable & { readonly outbox: Outbox; readonly codes: SignInCodes }

const MAX_TRIES = 5
const ADA = 'ada@example.com'
const ISSUED = { kind: 'issued' }

/** What every store of sign-in codes guarantees. `open` gives an empty one. */
export function signInCodesSuite(name: string, open: () => Promise<Opened>): void {
  const openWith = async (...issues: readonly CodeIssue[]) => {
    const store = await open()
    for (const issue of issues) assert.deepEqual(await store.codes.issue(issue), ISSUED)
    const redeem = (code: string, now = NOW) => store.codes.redeem(`address of ${ADA}`, code, now, MAX_TRIES)
    const mails = async () => (await store.outbox.claim(NOW * 2, NOW * 2, 1_000)).length
    return { ...store, redeem, mails, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
  }
  const right = `code of ${ADA}`

  suite(`sign-in codes: ${name}`, () => {
    test('the right code works once', async () => {
      await using store = await openWith(codeFor(ADA))
      assert.equal(await store.redeem(right), true)
      assert.equal(await store.redeem(right), false)
    })

    test('of many who give the right code at once, one gets in', async () => {
      await using store = await openWith(codeFor(ADA))
      const tries = await Promise.all(Array.from({ length: 4 }, () => store.redeem(right)))
      assert.equal(tries.filter(Boolean).length, 1)
    })

    test('a code works until the last millisecond before its end, and not at it', async () => {
      for (const [after, works] of [
        [599_999, true],
        [600_000, false],
      ] as const) {
        await using store = await openWith(codeFor(ADA))
        assert.equal(await store.redeem(right, NOW + after), works)
      }
    })

    test('a code that is over does not come back with a clock that is set back', async () => {
      await using store = await openWith(codeFor(ADA))
      assert.equal(await store.redeem(right, NOW + 600_000), false)
      assert.equal(await store.redeem(right, NOW), false)
    })

    test('the fifth try may still be the right one, the sixth may not', async () => {
      for (const [wrong, works] of [
        [4, true],
        [5, false],
      ] as const) {
        await using store = await openWith(codeFor(ADA))
        for (let count = 0; count < wrong; count += 1) assert.equal(await store.redeem('wrong'), false)
        assert.equal(await store.redeem(right), works)
      }
    })

    test('of a hundred guesses at once, no more than five count', async () => {
      for (const position of [4, 5, 50, 99]) {
        await using store = await openWith(codeFor(ADA))
        const guesses = Array.from({ length: 100 }, (_, index) =>
          index === position ? right : `guess ${index}`,
        )
        const outcomes = await Promise.all(guesses.map((guess) => store.redeem(guess)))
        // Neighbours may overtake each other where transactions run side by side, but not by half a hundred.
        if (position >= 50) assert.equal(outcomes.some(Boolean), false)
        assert(outcomes.filter(Boolean).length <= 1)
        assert.equal(await store.redeem(right), false)
      }
    })

    test('a newer code replaces the older one and has tries of its own', async () => {
      await using store = await openWith(codeFor(ADA))
      for (let count = 0; count < MAX_TRIES; count += 1) await store.redeem('wrong')
      await store.codes.issue(codeFor(ADA, { codeDigest: 'newer' }))
      assert.equal(await store.redeem(right), false)
      assert.equal(await store.redeem('newer'), true)
    })

    test('the code of one address is nothing to another', async () => {
      await using store = await openWith(codeFor(ADA), codeFor('eve@example.com'))
      assert.equal(await store.redeem('code of eve@example.com'), false)
      assert.equal(await store.redeem(right), true)
    })

    test('an address that has had its mails gets no more, is not told, and keeps its last code', async () => {
      await using store = await openWith()
      const cap = { key: ADA, limit: 3, since: NOW - 86_400_000, now: NOW }
      for (let count = 1; count <= 50; count += 1) {
        const issue = codeFor(ADA, { codeDigest: `code ${count}`, mailCap: cap })
        assert.deepEqual(await store.codes.issue(issue), ISSUED)
      }
      assert.equal(await store.mails(), 3)
      assert.equal(await store.redeem('code 50'), false)
      assert.equal(await store.redeem('code 3'), true)
    })

    test('at a limit nothing is mailed and no code is replaced, and its end is told', async () => {
      await using store = await openWith()
      const limit: RegistrationLimit = {
        name: 'ip-hour',
        key: 'somewhere',
        windowStart: NOW,
        windowEnd: NOW + 3_600_000,
        limit: 3,
      }
      const issue = (count: number) =>
        store.codes.issue(codeFor(ADA, { codeDigest: `code ${count}`, limits: [limit] }))
      const outcomes = await Promise.all([1, 2, 3, 4, 5].map(issue))
      const limited = outcomes.filter(({ kind }) => kind === 'limited')
      const refused = { kind: 'limited', retryAt: NOW + 3_600_000 }
      assert.deepEqual(limited, [refused, refused])
      assert.equal(await store.mails(), 3)
      // Where transactions run side by side, any of those that were issued may be the last.
      const issued = [1, 2, 3, 4, 5].filter((count) => outcomes[count - 1]?.kind === 'issued')
      const works: boolean[] = []
      for (const count of issued) works.push(await store.redeem(`code ${count}`))
      assert.equal(works.filter(Boolean).length, 1)
    })
  })
}

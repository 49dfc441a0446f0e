import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Outbox } from '#ports/stores/outbox.ts'
import type { SignInCodes } from '#ports/stores/users.ts'
import { codeFor, mailTo, NOW } from './sample-codes.ts'

type Opened = AsyncDisposable & {
  readonly outbox: Outbox
  /** The same store, opened with another secret. */
  readonly strangersOutbox: Outbox
  /** Puts mails into the outbox. */
  readonly codes: SignInCodes
}

const LEASE = 60_000

/** The guarantees of every outbox. `open` opens an empty one. */
export function outboxSuite(name: string, open: () => Promise<Opened>): void {
  const openWith = async (...addresses: readonly string[]) => {
    const store = await open()
    for (const address of addresses) await store.codes.issue(codeFor(address))
    const claim = (now: number, limit = 10) => store.outbox.claim('queued', now, now + LEASE, limit)
    return { ...store, claim, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
  }

  suite(`outbox: ${name}`, () => {
    test('a queued mail is claimed as it was written, with its age and the number of the try', async () => {
      await using store = await openWith('a@example.com')
      const [claimed, ...others] = await store.claim(NOW + 5)
      assert.deepEqual(others, [])
      assert.deepEqual(
        { ...claimed, id: 0 },
        { id: 0, createdAt: NOW, attempts: 1, mail: mailTo('a@example.com') },
      )
    })

    test('a mail is not due before its time', async () => {
      await using store = await openWith('a@example.com')
      assert.deepEqual(await store.claim(NOW - 1), [])
    })

    test('mails that were postponed or leased by a clock that ran ahead are due once it is right again', async () => {
      const ahead = 400 * 86_400_000
      await using store = await openWith('a@example.com')
      await store.codes.issue(codeFor('b@example.com', { now: NOW + ahead }))
      assert.equal((await store.claim(NOW + ahead)).length, 2)
      const claimed = await store.claim(NOW)
      assert.equal(claimed.length, 2)
      for (const mail of claimed) await store.outbox.retry(mail, NOW + ahead)
      assert.equal((await store.claim(NOW + LEASE)).length, 2)
    })

    test('a claimed mail is not claimed again until its lease is over', async () => {
      await using store = await openWith('a@example.com')
      await store.claim(NOW)
      assert.deepEqual(await store.claim(NOW + LEASE - 1), [])
      assert.equal((await store.claim(NOW + LEASE))[0]?.attempts, 2)
    })

    test('of simultaneous claims only one gets each mail', async () => {
      const addresses = Array.from({ length: 30 }, (_, index) => `a${index}@example.com`)
      await using store = await openWith(...addresses)
      const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(NOW, 3)))
      const ids = claims.flat().map((mail) => mail.id)
      assert.equal(ids.length, 30)
      assert.equal(new Set(ids).size, 30)
    })

    test('the oldest mails come first, no more than asked for', async () => {
      await using store = await openWith('a@example.com', 'b@example.com', 'c@example.com')
      const claimed = await store.claim(NOW, 2)
      assert.deepEqual(
        claimed.map((mail) => mail.mail?.to),
        ['a@example.com', 'b@example.com'],
      )
    })

    test('a delivered mail never comes back', async () => {
      await using store = await openWith('a@example.com')
      const [claimed] = await store.claim(NOW)
      assert(claimed)
      await store.outbox.delivered(claimed)
      await store.outbox.retry(claimed, NOW)
      assert.deepEqual(await store.claim(NOW + 10 * LEASE), [])
    })

    test('a mail that failed comes back at its time, whatever is left of its lease', async () => {
      await using store = await openWith('a@example.com')
      const [claimed] = await store.claim(NOW)
      assert(claimed)
      await store.outbox.retry(claimed, NOW + 10)
      assert.deepEqual(await store.claim(NOW + 9), [])
      assert.equal((await store.claim(NOW + 10))[0]?.attempts, 2)
    })

    test('a mail that is given up never comes back', async () => {
      await using store = await openWith('a@example.com')
      const [claimed] = await store.claim(NOW)
      assert(claimed)
      await store.outbox.giveUp(claimed)
      assert.deepEqual(await store.claim(NOW + 10 * LEASE), [])
    })

    test('a holder whose lease is over can neither retry nor give up the mail, which the next one holds', async () => {
      await using store = await openWith('a@example.com')
      const [lost] = await store.claim(NOW)
      const [present] = await store.claim(NOW + LEASE)
      assert(lost && present)
      await store.outbox.retry(lost, NOW + LEASE)
      await store.outbox.giveUp(lost)
      assert.deepEqual(await store.claim(NOW + LEASE), [])
      assert.equal((await store.claim(NOW + 2 * LEASE))[0]?.attempts, 3)
    })

    test('a mail sealed with another secret is claimed without content, and is not lost', async () => {
      await using store = await openWith('a@example.com')
      const [unreadable] = await store.strangersOutbox.claim('queued', NOW, NOW + LEASE, 1)
      assert(unreadable)
      assert.equal(unreadable.mail, undefined)
      await store.strangersOutbox.retry(unreadable, NOW + 1)
      assert.deepEqual((await store.claim(NOW + 1))[0]?.mail, mailTo('a@example.com'))
    })

    test('deleting finished mails leaves all others', async () => {
      await using store = await openWith('a@example.com', 'b@example.com')
      const [first] = await store.claim(NOW, 1)
      assert(first)
      await store.outbox.delivered(first)
      await store.outbox.forgetFinished(NOW + 1)
      assert.deepEqual(
        (await store.claim(NOW)).map((mail) => mail.mail?.to),
        ['b@example.com'],
      )
    })
  })
}

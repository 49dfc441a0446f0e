import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { openSmtpMailer } from '#adapters/mail/smtp-mailer.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Logger } from '#ports/logger.ts'
import type { Mailer } from '#ports/stores/outbox.ts'
import { codeFor, mailTo } from '../../../test/contracts/suites/sample-codes.ts'
import { type Behaviour, openSmtpSink } from '../../../test/support/services/smtp-sink.ts'
import { silentLogger } from '../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import { deliverMail } from './deliver-mail.ts'
import { nextAttemptAt } from './retry-plan.ts'

const HOUR = 3_600_000
const never = new AbortController().signal
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })

/** A store with a queued mail for each address, and its delivery job. */
async function openDelivery(mailer: Mailer, addresses: readonly string[], logger: Logger = silentLogger) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const clock = testClock()
  const codes = sqlSignInCodes({ db, secrets })
  for (const address of addresses) await codes.issue(codeFor(address, { now: clock.now() }))
  const outbox = sqlOutbox({ db, secrets })
  const resources = opened.move()
  return {
    clock,
    outbox,
    askForCode: (address: string, change: { readonly isAdmin: boolean }) =>
      codes.issue(codeFor(address, { now: clock.now(), ...change })),
    deliver: deliverMail({ outbox, mailer, clock, chance: () => 0, pause: () => setImmediate(), logger }),
    async statuses() {
      const rows = await db.selectFrom('outbox').select('status').orderBy('id').execute()
      return rows.map((row) => row.status)
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const taken = async () => ({ kind: 'taken' }) as const
const failing: Mailer = { send: () => Promise.reject(new Error('no route')) }

test('every due mail is delivered once, even with concurrent runs', async () => {
  const sent: string[] = []
  const mailer: Mailer = {
    async send(letter) {
      sent.push(letter.to)
      return taken()
    },
  }
  const addresses = Array.from({ length: 25 }, (_, index) => `a${index}@example.com`)
  await using delivery = await openDelivery(mailer, addresses)
  await Promise.all([delivery.deliver(never), delivery.deliver(never)])
  await delivery.deliver(never)
  assert.deepEqual(sent.sort(), addresses.sort())
})

test('an urgent code for an owner is delivered while other mails wait for slow servers', async () => {
  const sent: string[] = []
  const slow = Promise.withResolvers<void>()
  const owner = Promise.withResolvers<void>()
  const mailer: Mailer = {
    async send(letter) {
      if (letter.to.endsWith('@slow.example')) await slow.promise
      else owner.resolve()
      sent.push(letter.to)
      return taken()
    },
  }
  const strangers = Array.from({ length: 40 }, (_, index) => `s${index}@slow.example`)
  await using delivery = await openDelivery(mailer, strangers)
  const run = delivery.deliver(never)
  await delivery.askForCode('owner@example.com', { isAdmin: true })
  await owner.promise
  slow.resolve()
  await run
  assert.equal(sent[0], 'owner@example.com')
  assert.equal(sent.length, 41)
})

test('mails that were greylisted, cut off or rejected by policy are retried and arrive unchanged', async () => {
  const answers: Record<string, Behaviour[]> = {
    'grey@example.com': [{ reply: '451 4.7.1 Later' }, { reply: '450 Later' }],
    'cut@example.com': ['cut'],
    'policy@example.com': [{ reply: '550 5.7.1 Not from you' }],
    'fine@example.com': [],
  }
  await using sink = await openSmtpSink({ onRcpt: (to) => answers[to]?.shift() })
  await using mailer = openSmtpMailer({ url: sink.url, from: 'noreply@stakewright.example' })
  await using delivery = await openDelivery(mailer, Object.keys(answers))
  for (let round = 0; round < 4; round += 1) {
    await delivery.deliver(never)
    delivery.clock.advance(60_000)
  }
  assert.deepEqual(sink.received.map((mail) => mail.to.join()).sort(), Object.keys(answers).sort())
  for (const { to, message } of sink.received)
    assert(message.includes(mailTo(to.join()).text.trim()), to.join())
})

test('a mail to an address that does not exist is given up at once and does not delay others', async () => {
  await using sink = await openSmtpSink({
    onRcpt: (to) => (to.startsWith('gone') ? { reply: '550 5.1.1 No such user' } : undefined),
  })
  await using mailer = openSmtpMailer({ url: sink.url, from: 'noreply@stakewright.example' })
  await using delivery = await openDelivery(mailer, ['gone@example.com', 'here@example.com'])
  await delivery.deliver(never)
  assert.deepEqual(await delivery.statuses(), ['given_up', 'delivered'])
})

test('a failing mail is retried for a day with growing delays, then given up', async () => {
  const triedAt: number[] = []
  const mailer: Mailer = {
    async send() {
      triedAt.push(delivery.clock.now())
      throw new Error('no route')
    },
  }
  await using delivery = await openDelivery(mailer, ['a@example.com'])
  const start = delivery.clock.now()
  while ((await delivery.statuses())[0] === 'queued') {
    await delivery.deliver(never)
    delivery.clock.advance(5 * 60_000)
  }
  assert.deepEqual(await delivery.statuses(), ['given_up'])
  assert(triedAt.length > 25 && triedAt.length < 50, `${triedAt.length} attempts`)
  const last = triedAt.at(-1) ?? start
  assert(last >= start + 22 * HOUR && last < start + 24 * HOUR)
})

test('a mail queued more than a day ago is not sent; it is given up only after hours of retries', async () => {
  let sent = 0
  const mailer: Mailer = {
    send() {
      sent += 1
      return taken()
    },
  }
  await using delivery = await openDelivery(mailer, ['a@example.com'])
  delivery.clock.advance(24 * HOUR)
  const start = delivery.clock.now()
  while ((await delivery.statuses())[0] === 'queued') {
    await delivery.deliver(never)
    delivery.clock.advance(5 * 60_000)
  }
  assert.equal(sent, 0)
  assert.deepEqual(await delivery.statuses(), ['given_up'])
  assert(delivery.clock.now() - start > 6 * HOUR)
})

for (const days of [2, 95, 400]) {
  test(`no mail is lost while the clock is ${days} days ahead for an hour`, async () => {
    const sent: string[] = []
    const mailer: Mailer = {
      async send(letter) {
        sent.push(letter.to)
        return taken()
      },
    }
    await using delivery = await openDelivery(mailer, ['a@example.com'])
    delivery.clock.advance(days * 24 * HOUR)
    for (let run = 0; run < 60; run += 1) {
      await delivery.deliver(never)
      delivery.clock.advance(60_000)
    }
    assert.deepEqual(await delivery.statuses(), ['queued'])
    delivery.clock.advance(-days * 24 * HOUR)
    await delivery.deliver(never)
    assert.deepEqual(sent, ['a@example.com'])
  })
}

test('a mail that cannot be marked as delivered is sent again after the lease', async () => {
  const sent: number[] = []
  const mailer: Mailer = {
    async send(letter) {
      sent.push(letter.id)
      return taken()
    },
  }
  await using delivery = await openDelivery(mailer, ['a@example.com'])
  const failure = new Error('the disk is full')
  const broken = deliverMail({
    outbox: { ...delivery.outbox, delivered: () => Promise.reject(failure) },
    mailer,
    clock: delivery.clock,
    chance: () => 0,
    pause: () => setImmediate(),
    logger: silentLogger,
  })
  await assert.rejects(broken(never), failure)
  await delivery.deliver(never)
  assert.equal(sent.length, 1)
  delivery.clock.advance(60_000)
  await delivery.deliver(never)
  assert.deepEqual(sent, [sent[0], sent[0]])
  assert.deepEqual(await delivery.statuses(), ['delivered'])
})

test('a run with an aborted deadline claims no mail', async () => {
  await using delivery = await openDelivery(failing, ['a@example.com'])
  await delivery.deliver(AbortSignal.abort())
  assert.equal((await delivery.outbox.claim('queued', delivery.clock.now(), 0, 1))[0]?.attempts, 1)
})

test('the log has the outcome of a mail, but neither its address nor its content', async () => {
  const lines: string[] = []
  const note = (...line: unknown[]) => void lines.push(JSON.stringify(line))
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  await using sink = await openSmtpSink({
    onRcpt: (to) => (to.startsWith('b') ? { reply: `451 ${to} is busy` } : undefined),
  })
  await using mailer = openSmtpMailer({ url: sink.url, from: 'noreply@stakewright.example' })
  await using delivery = await openDelivery(mailer, ['a@example.com', 'b@example.com'], logger)
  await delivery.deliver(never)
  assert.equal(lines.length, 2)
  assert.doesNotMatch(lines.join(), /@example\.com|123456/)
  assert.match(lines.join(), /answered 451 to RCPT TO/)
})

test('finished mails are deleted after a week', async () => {
  await using delivery = await openDelivery({ send: taken }, ['a@example.com', 'b@example.com'])
  const [kept] = await delivery.outbox.claim('queued', delivery.clock.now(), delivery.clock.now() + HOUR, 1)
  assert(kept)
  await delivery.deliver(never)
  assert.equal((await delivery.statuses()).length, 2)
  delivery.clock.advance(7 * 24 * HOUR + 1)
  await delivery.deliver(never)
  assert.deepEqual(await delivery.statuses(), ['queued'])
})

test('retry delays double up to an hour, have random jitter, and end after a day', () => {
  const runs = fc.record({
    attempts: fc.integer({ min: 1, max: 200 }),
    age: fc.integer({ min: 0, max: 24 * HOUR }),
    chance: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  fc.assert(
    fc.property(runs, ({ attempts, age, chance }) => {
      const at = nextAttemptAt({ createdAt: 0, attempts }, age, chance)
      const full = Math.min(HOUR, 5_000 * 2 ** (attempts - 1))
      if (at === undefined) return assert(attempts >= 100 || (attempts >= 20 && age + full >= 24 * HOUR))
      assert(at < 24 * HOUR || attempts < 20)
      assert(at - age >= full / 2 && at - age <= full)
    }),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import fc from 'fast-check'
import type { IdentifiedMail } from '#ports/stores/outbox.ts'
import { anyText } from '../../../../test/any-text.ts'
import { openSmtpSink } from '../../../test/support/services/smtp-sink.ts'
import { openSmtpMailer } from './smtp-mailer.ts'

const EmailAddress = ENDPOINTS.selfRegister.body.shape.email
const FROM = 'Stakewright <noreply@stakewright.example>'
const TOKEN = 'c0ffee'.repeat(10).padEnd(64, '0')
const LINK = `https://stakewright.example/verify?token=${TOKEN}`
const LETTER: IdentifiedMail = {
  id: 7,
  createdAt: 1_767_225_600_000,
  to: 'agent@example.com',
  subject: 'Confirm your address',
  text: `Open this page:\n\n${LINK}\n\n.\nEnd\n`,
  html: `<p><a href="${LINK}">Open</a> — “now”</p>`,
}
const HEADERS = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]
const never = new AbortController().signal

/** The header fields of a message, unfolded. */
function headersOf(message: string): ReadonlyMap<string, string> {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replace(/\r\n[ \t]/g, ' ')
  return new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** The error of a mail that could not be sent. */
async function failureOf(sending: Promise<unknown>): Promise<string> {
  const error = await sending.then(
    () => assert.fail('it was handed over'),
    (reason: unknown) => reason,
  )
  assert(error instanceof Error)
  return error.message
}

test('a mail arrives unchanged, with its link on one line', async () => {
  await using sink = await openSmtpSink()
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  assert.deepEqual(await mailer.send(LETTER, never), { kind: 'taken' })
  const [mail] = sink.received
  assert(mail)
  assert.equal(mail.from, 'noreply@stakewright.example')
  assert.deepEqual(mail.to, ['agent@example.com'])
  assert.deepEqual([...headersOf(mail.message).keys()].sort(), HEADERS)
  assert(mail.message.includes(`\r\n${LINK}\r\n`), 'the link is on one line')
  assert(mail.message.includes('\r\n.\r\nEnd'), 'a lone dot does not end the mail')
})

test('sending the same mail twice transmits the same bytes', async () => {
  await using sink = await openSmtpSink()
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  await mailer.send(LETTER, never)
  await mailer.send(LETTER, never)
  assert.equal(sink.received[0]?.message, sink.received[1]?.message)
})

const TEMPORARY = [
  ['greylisted', '451 4.7.1 Greylisted, agent@example.com, come back later'],
  ['mailbox full', '452 4.2.2 Mailbox full'],
  ['relaying denied', '550 5.7.1 Relaying denied'],
  ['login asked for', '530 5.7.0 Authentication required'],
  ['spam policy', '554 5.7.1 Blocked'],
] as const

for (const [name, reply] of TEMPORARY) {
  test(`${name}: throws, so that it is retried, and the error does not contain the server's text`, async () => {
    await using sink = await openSmtpSink({ onRcpt: () => ({ reply }) })
    await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
    const message = await failureOf(mailer.send(LETTER, never))
    assert.equal(message, `the mail server answered ${reply.slice(0, 9)} to RCPT TO`)
    assert.equal(sink.received.length, 0)
  })
}

for (const reply of ['550 No such user', '550 5.1.1 No such user', '553 5.1.3 Bad address']) {
  test(`"${reply}" is a permanent refusal`, async () => {
    await using sink = await openSmtpSink({ onRcpt: () => ({ reply }) })
    await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
    const outcome = await mailer.send(LETTER, never)
    assert(outcome.kind === 'refused')
    assert.match(outcome.reason, /^the mail server answered 55[03]( 5\.1\.[13])? to RCPT TO$/)
  })
}

test('a mail whose content is refused is retried, and the error contains nothing of it', async () => {
  await using sink = await openSmtpSink({ onData: () => ({ reply: `554 The link ${LINK} is spam` }) })
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  assert.equal(await failureOf(mailer.send(LETTER, never)), 'the mail server answered 554 to DATA')
})

test('a server that does not answer: an error after the timeout', async () => {
  await using sink = await openSmtpSink({ onRcpt: () => 'hang' })
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM, timeoutMs: 50 })
  assert.equal(await failureOf(mailer.send(LETTER, never)), 'the mail server did not answer in time')
})

test('the abort of the caller ends a hanging conversation', async () => {
  const asked = Promise.withResolvers<void>()
  const deadline = new AbortController()
  await using sink = await openSmtpSink({
    onRcpt: () => {
      asked.resolve()
      return 'hang'
    },
  })
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  const sending = failureOf(mailer.send(LETTER, deadline.signal))
  await asked.promise
  deadline.abort()
  assert.equal(await sending, 'sending was aborted')
})

test('closing the mailer ends open conversations', async () => {
  const asked = Promise.withResolvers<void>()
  await using sink = await openSmtpSink({
    onData: () => {
      asked.resolve()
      return 'hang'
    },
  })
  const mailer = openSmtpMailer({ url: sink.url, from: FROM })
  const sending = failureOf(mailer.send(LETTER, never))
  await asked.promise
  await mailer[Symbol.asyncDispose]()
  assert.equal(await sending, 'sending was aborted')
})

test('a connection that ends after the mail was received, but before it is acknowledged: an error, so that it is retried', async () => {
  await using sink = await openSmtpSink({ onData: () => 'cut' })
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  assert.match(await failureOf(mailer.send(LETTER, never)), /closed/)
  assert.equal(sink.received.length, 1)
})

test('a server that cannot be reached: an error', async () => {
  const sink = await openSmtpSink()
  await sink[Symbol.asyncDispose]()
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  assert.match(await failureOf(mailer.send(LETTER, never)), /cannot be reached/)
})

test('a server that requires a login gets that of the URL, percent-decoded', async () => {
  const logins: unknown[] = []
  await using sink = await openSmtpSink({
    options: {
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, callback) {
        logins.push([username, password])
        callback(null, { user: username })
      },
    },
  })
  const url = sink.url.replace('smtp://', 'smtp://me%40example.com:p%2Fw%3A@')
  await using mailer = openSmtpMailer({ url, from: FROM })
  assert.deepEqual(await mailer.send(LETTER, never), { kind: 'taken' })
  assert.deepEqual(logins, [['me@example.com', 'p/w:']])
})

test('with requireTLS nothing is sent to a server without STARTTLS', async () => {
  await using sink = await openSmtpSink()
  await using mailer = openSmtpMailer({ url: `${sink.url}?requireTLS=true`, from: FROM })
  assert.match(await failureOf(mailer.send(LETTER, never)), /STARTTLS/)
  assert.equal(sink.received.length, 0)
})

test('an untrusted certificate is refused', async () => {
  await using sink = await openSmtpSink({ options: { disabledCommands: ['AUTH'] } })
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  await failureOf(mailer.send(LETTER, never))
  assert.equal(sink.received.length, 0)
})

const atom = fc.string({
  unit: fc.constantFrom(..."abcXYZ019!#$%&'*+/=?^_`{|}~-"),
  minLength: 1,
  maxLength: 12,
})
const label = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9-]{0,8}[A-Za-z0-9])?$/)
const addresses = fc
  .tuple(
    fc.array(atom, { minLength: 1, maxLength: 5 }),
    fc.array(label, { minLength: 1, maxLength: 12 }),
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{1,5}$/),
  )
  .map(([local, labels, top]) => `${local.join('.')}@${labels.join('.')}.${top}`)
  .filter((address) => EmailAddress.safeParse(address).success)

const mails = fc.array(fc.tuple(addresses, anyText()), { minLength: 40, maxLength: 40 })

test('any address that the contract accepts is the only recipient, and adds no header', async () => {
  await using sink = await openSmtpSink()
  await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
  const property = fc.asyncProperty(mails, async (batch) => {
    sink.received.length = 0
    const letters = batch.map(([to, subject], id) => ({ ...LETTER, id, to, subject: `S ${subject}` }))
    const outcomes = await Promise.all(letters.map((letter) => mailer.send(letter, never)))
    assert(outcomes.every((outcome) => outcome.kind === 'taken'))
    assert.equal(sink.received.length, letters.length)
    for (const mail of sink.received) {
      const headers = headersOf(mail.message)
      const id = Number(/^<(\d+)\./.exec(headers.get('message-id') ?? '')?.[1])
      assert.deepEqual(mail.to, [letters[id]?.to])
      assert.deepEqual([...headers.keys()].sort(), HEADERS)
      assert.equal(headers.get('to')?.toLowerCase(), letters[id]?.to.toLowerCase())
    }
  })
  await fc.assert(property, { numRuns: 10 })
})

const HOSTILE = [
  'a@example.com\r\nRCPT TO:<victim@example.com>',
  'a@example.com>\r\nDATA',
  'a@example.com, victim@example.com',
  'a@example.com\nBcc: victim@example.com',
  '"a\r\nBcc: victim@example.com"@example.com',
  'victim@example.com <a@example.com>',
  '',
]

for (const to of HOSTILE) {
  test(`an address that the contract refuses adds no other recipient or header: ${JSON.stringify(to)}`, async () => {
    assert(!EmailAddress.safeParse(to).success)
    await using sink = await openSmtpSink()
    await using mailer = openSmtpMailer({ url: sink.url, from: FROM })
    await mailer.send({ ...LETTER, to }, never).catch(() => {})
    for (const mail of sink.received) {
      assert.deepEqual(mail.to, [to])
      assert.deepEqual([...headersOf(mail.message).keys()].sort(), HEADERS)
    }
  })
}

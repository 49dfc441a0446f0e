import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openUserTokens } from '#adapters/jwt/user-tokens.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { otpauthCodes } from '#adapters/totp/otpauth-codes.ts'
import { claimAll } from '../../../test/contracts/suites/sample-codes.ts'
import { silentLogger } from '../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import { HOUR_MS } from '../../durations.ts'
import { fairTurns } from '../limits/fair-turns.ts'
import { exchangeCode } from './exchange-code.ts'
import { requestCode } from './request-code.ts'
import { prepareSession } from './sessions.ts'

const ADA = 'ada@example.com'
const REFUSED = { code: 'unauthorized' }
const FAR_AWAY = { perIpHour: 1_000, perIpDay: 1_000, perDay: 1_000 }

/** The sign-in operations, wired as in the service, with access to the queued mails. */
async function openSignIn(quota = FAR_AWAY, mailsPerDay = 100) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const clock = testClock()
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
  const adminEmails = new Set(['root@example.com'])
  const tokens = opened.use(
    openUserTokens({
      secret: 'a secret of at least thirty-two characters',
      issuer: 'stakewright',
      audience: 'stakewright',
      external: undefined,
      adminEmails,
      clock,
      logger: silentLogger,
    }),
  )
  const codes = sqlSignInCodes({ db, secrets })
  const prepare = prepareSession({ tokens, secrets, clock, most: 9 })
  const outbox = sqlOutbox({ db, secrets })
  const rules = {
    codeMs: 600_000,
    longCodeMs: 6 * HOUR_MS,
    tries: { perNetwork: 5, byStrangers: 5 },
    factorTries: 5,
    mailsPerDay,
    resendAfterMs: 3 * HOUR_MS,
    noticesPerDay: 20,
  }
  const turn = fairTurns({ atOnce: 2, waitingOfEach: 100, waiting: 100 })
  const turns = { code: turn, long_code: turn }
  const resources = opened.move()
  return {
    clock,
    tokens,
    ask: requestCode({ codes, secrets, clock, rules, quota, adminEmails }),
    exchange: (email: string, code: string, ip = 'here') =>
      exchangeCode({
        codes,
        prepare,
        tokens,
        oneTimeCodes: otpauthCodes,
        secrets,
        clock,
        rules,
        adminEmails,
        turns,
      })({
        email,
        code,
        ip,
        via: 'rest',
      }),
    /** Takes the mails that were queued since the last call. */
    async mails() {
      const queued = await claimAll(outbox, clock.now(), clock.now() + 1)
      for (const mail of queued) await outbox.delivered(mail)
      return queued.map(({ mail }) => mail ?? assert.fail('a mail cannot be read'))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

type SignIn = Awaited<ReturnType<typeof openSignIn>>

/** The code in the only queued mail. */
const codeIn = (signIn: SignIn): Promise<string> => findInMail(signIn, /^ {4}(\d{6})$/m)
const longCodeIn = (signIn: SignIn): Promise<string> => findInMail(signIn, /^ {4}(\w{5}(?:-\w{5}){3})$/m)

async function findInMail(signIn: SignIn, code: RegExp): Promise<string> {
  const [mail, ...others] = await signIn.mails()
  assert.deepEqual(others, [])
  return code.exec(mail?.text ?? '')?.[1] ?? assert.fail('there is no code in the mail')
}

const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

test('a mailed code is exchanged for a token of its address, once', async () => {
  await using signIn = await openSignIn()
  await signIn.ask({ email: 'Ada@Example.com', ip: 'here' })
  const code = await codeIn(signIn)
  const { token } = await signIn.exchange('ADA@example.com', code)
  const { session, ...user } = (await signIn.tokens.verify(token)) ?? assert.fail()
  assert.deepEqual(user, { id: `stakewright/${ADA}`, email: ADA, role: 'user' })
  assert.equal(session?.signedInAt, signIn.clock.now())
  await assert.rejects(signIn.exchange(ADA, code), REFUSED)
})

test('the mail goes to the address in lower case, with the code in text and HTML but not in the subject', async () => {
  await using signIn = await openSignIn()
  await signIn.ask({ email: 'Ada+Tag@Example.com', ip: 'here' })
  const [mail] = await signIn.mails()
  assert(mail)
  assert.equal(mail.to, 'ada+tag@example.com')
  const [, code = ''] = /^ {4}(\d{6})$/m.exec(mail.text) ?? []
  assert(mail.html.includes(`>${code}<`))
  assert(!mail.subject.includes(code))
  assert(!mail.text.includes('ada') && !mail.html.includes('ada'))
})

test('an address in ADMIN_EMAILS becomes an admin, a similar one does not', async () => {
  for (const [email, role] of [
    ['Root@Example.com', 'admin'],
    ['root+x@example.com', 'user'],
    ['root@example.com.evil.example', 'user'],
  ] as const) {
    await using signIn = await openSignIn()
    await signIn.ask({ email, ip: 'here' })
    const { token } = await signIn.exchange(email, await codeIn(signIn))
    assert.equal((await signIn.tokens.verify(token))?.role, role)
  }
})

test('a code expires after ten minutes and the long code after six hours, to the millisecond', async () => {
  for (const [read, lasts] of [
    [codeIn, 600_000],
    [longCodeIn, 6 * HOUR_MS],
  ] as const) {
    for (const works of [true, false]) {
      await using signIn = await openSignIn()
      await signIn.ask({ email: ADA, ip: 'here' })
      const code = await read(signIn)
      signIn.clock.advance(works ? lasts - 1 : lasts)
      const exchanged = signIn.exchange(ADA, code)
      await (works ? exchanged : assert.rejects(exchanged, REFUSED))
    }
  }
})

test('wrong, used, expired, foreign and never issued codes get the same refusal', async () => {
  await using signIn = await openSignIn()
  const refusalOf = async (email: string, code: string) =>
    signIn.exchange(email, code).then(
      () => assert.fail('it was accepted'),
      ({ code, message, status }) => ({ code, message, status }),
    )
  const neverIssued = await refusalOf('nobody@example.com', '123456')
  await signIn.ask({ email: ADA, ip: 'here' })
  const code = await codeIn(signIn)
  assert.deepEqual(await refusalOf(ADA, otherThan(code)), neverIssued)
  assert.deepEqual(await refusalOf('eve@example.com', code), neverIssued)
  await signIn.exchange(ADA, code)
  assert.deepEqual(await refusalOf(ADA, code), neverIssued)
  await signIn.ask({ email: ADA, ip: 'here' })
  const late = await codeIn(signIn)
  signIn.clock.advance(600_000)
  assert.deepEqual(await refusalOf(ADA, late), neverIssued)
})

test('after five wrong guesses, even concurrent ones, the right code is refused', async () => {
  await using signIn = await openSignIn()
  await signIn.ask({ email: ADA, ip: 'here' })
  const code = await codeIn(signIn)
  const guesses = Array.from({ length: 99 }, () => otherThan(code))
  const outcomes = await Promise.allSettled([...guesses, code].map((guess) => signIn.exchange(ADA, guess)))
  assert(outcomes.every((outcome) => outcome.status === 'rejected'))
})

test('all spellings of an address together get three mails a day, and further requests get the same answer', async () => {
  await using signIn = await openSignIn(FAR_AWAY, 3)
  const spellings = ['ada.l@gmail.com', 'adal+x@gmail.com', 'A.D.A.L@googlemail.com']
  for (let count = 0; count < 50; count += 1) {
    await signIn.ask({ email: spellings[count % 3] ?? '', ip: `address ${count}` })
  }
  assert.equal((await signIn.mails()).length, 3)
})

test('a network address gets three codes an hour; the refusal has the seconds to wait', async () => {
  await using signIn = await openSignIn({ perIpHour: 3, perIpDay: 10, perDay: 100 })
  signIn.clock.advance(60_000)
  const asks = Array.from({ length: 20 }, (_, index) =>
    signIn.ask({ email: `user-${index}@example.com`, ip: 'here' }),
  )
  const outcomes = await Promise.allSettled(asks)
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 3)
  assert.equal((await signIn.mails()).length, 3)
  await assert.rejects(signIn.ask({ email: ADA, ip: 'here' }), {
    code: 'rate_limited',
    retryAfterSeconds: 59 * 60,
  })
  await signIn.ask({ email: ADA, ip: 'elsewhere' })
})

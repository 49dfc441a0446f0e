import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../src/durations.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { openIdentity, registration, tokenIn } from './identity.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const QUOTA = { perIpHour: 3, perIpDay: 10, perDay: 100 }

async function openEmpty(options: { quota?: typeof QUOTA } = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const clock = testClock(NOON)
  const identity = opened.use(await openIdentity(folder.path, { clock, ...options }))
  const resources = opened.move()
  return { ...identity, clock, folder: folder.path, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

type Identity = Awaited<ReturnType<typeof openEmpty>>

async function registerMany(identity: Identity, ips: readonly string[]): Promise<number> {
  const attempts = ips.map((ip, index) => identity.selfRegister(registration(`a${index}@example.com`, ip)))
  const results = await Promise.allSettled(attempts)
  for (const result of results) {
    if (result.status === 'rejected') assert.equal(result.reason.code, 'rate_limited')
  }
  return results.filter(({ status }) => status === 'fulfilled').length
}

suite('self-registration', () => {
  test('creates a pending agent of tier free with a key, which works once the link in the mail was opened', async () => {
    await using identity = await openEmpty()
    const { agent, apiKey } = await identity.selfRegister(registration('Ann@Example.com'))
    assert.equal(agent.owner, 'ann@example.com')
    assert.equal(agent.tier, 'free')
    assert.equal(agent.status, 'pending_verification')
    assert.equal(agent.identityTier, 'unverified')
    assert.deepEqual(agent.limits, { rpm: 10, rpd: 100 })
    assert.equal(agent.keyPrefix, apiKey.slice(0, 12))
    assert.equal(await identity.works(apiKey), false)

    const [mail] = await identity.mails()
    assert.equal(mail?.to, 'ann@example.com')
    const verified = await identity.verifyEmail(tokenIn(mail?.text ?? ''))
    assert.equal(verified.id, agent.id)
    assert.equal(verified.status, 'active')
    assert.equal(verified.identityTier, 'email_verified')
    assert.equal(verified.verifiedAt, NOON)
    assert.equal(await identity.works(apiKey), true)
  })

  test('answers alike whether or not the address is known, and changes no earlier agent of the address', async () => {
    await using identity = await openEmpty()
    const answers = []
    for (let round = 0; round < 5; round += 1) {
      const { agent, apiKey } = await identity.selfRegister(registration('ann@example.com'))
      const { id, keyPrefix, ...rest } = agent
      answers.push(rest)
      if (round === 0) await identity.verifyEmail(tokenIn((await identity.mails())[0]?.text ?? ''))
      assert.equal(await identity.works(apiKey), round === 0)
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
  })

  test('sends an address at most three mails a day, however the address is spelled', async () => {
    await using identity = await openEmpty()
    for (const email of ['ann@gmail.com', 'a.n.n@gmail.com', 'ANN+x@googlemail.com', 'an.n+y@gmail.com']) {
      await identity.selfRegister(registration(email))
    }
    await identity.resendVerification('ann@gmail.com')
    assert.deepEqual(
      (await identity.mails()).map((mail) => mail.to),
      ['ann@gmail.com', 'a.n.n@gmail.com', 'ann+x@googlemail.com'],
    )
    identity.clock.advance(DAY_MS)
    await identity.selfRegister(registration('ann@gmail.com'))
    assert.equal((await identity.mails()).length, 4)
  })

  test('puts no text of the registrant into the mail, except the address', async () => {
    await using identity = await openEmpty()
    await identity.selfRegister({ ...registration('ann@example.com'), agentName: 'CLICK evil.example' })
    const [mail] = await identity.mails()
    assert.doesNotMatch(JSON.stringify(mail), /evil|CLICK/)
  })

  test('writes no key, token or network address in plain text to any file of the store', async () => {
    await using identity = await openEmpty()
    const { apiKey } = await identity.selfRegister(registration('ann@example.com', '198.51.100.77'))
    const token = tokenIn((await identity.mails())[0]?.text ?? '')
    for (const file of await readdir(identity.folder)) {
      const content = await readFile(join(identity.folder, file), 'latin1')
      for (const secret of [apiKey, apiKey.slice(13), token, '198.51.100.77']) {
        assert(!content.includes(secret), `${file} has ${secret}`)
      }
    }
  })
})

suite('the limits of registration', () => {
  test('of 60 concurrent registrations from three addresses, exactly three of each succeed', async () => {
    await using identity = await openEmpty({ quota: QUOTA })
    const ips = Array.from({ length: 60 }, (_, index) => `192.0.2.${index % 3}`)
    assert.equal(await registerMany(identity, ips), 9)
    assert.equal((await identity.mails()).length, 9)
  })

  test('an address may register ten agents a day, and all addresses together a hundred', async () => {
    await using identity = await openEmpty({ quota: QUOTA })
    const perHour: number[] = []
    for (let hour = 0; hour < 5; hour += 1) {
      perHour.push(
        await registerMany(
          identity,
          Array.from({ length: 5 }, () => '192.0.2.1'),
        ),
      )
      identity.clock.advance(HOUR_MS)
    }
    assert.deepEqual(perHour, [3, 3, 3, 1, 0])
    const ips = Array.from({ length: 120 }, (_, index) => `198.51.100.${index}`)
    assert.equal(await registerMany(identity, ips), 90)
  })

  test('Retry-After is exact: a second earlier a registration is refused, then it is not', async () => {
    await using identity = await openEmpty({ quota: QUOTA })
    identity.clock.advance(1_234_567)
    for (let round = 0; round < 3; round += 1) await identity.selfRegister(registration('ann@example.com'))
    const refused = await identity.selfRegister(registration('ann@example.com')).catch((error) => error)
    assert.equal(refused.code, 'rate_limited')
    identity.clock.advance((refused.retryAfterSeconds - 1) * 1_000)
    await assert.rejects(identity.selfRegister(registration('ann@example.com')), { code: 'rate_limited' })
    identity.clock.advance(1_000)
    await identity.selfRegister(registration('ann@example.com'))
  })

  test('the tables of counts keep only the rows of current windows', async () => {
    await using identity = await openEmpty({ quota: { perIpHour: 3, perIpDay: 10, perDay: 1_000 } })
    for (let day = 0; day < 3; day += 1) {
      for (let ip = 0; ip < 30; ip += 1) {
        await identity.selfRegister(registration(`a${ip}@example.com`, `198.51.100.${ip}`))
      }
      identity.clock.advance(DAY_MS)
    }
    await identity.selfRegister(registration('last@example.com'))
    const rows = await identity.db.selectFrom('registration_hits').selectAll().execute()
    assert.equal(rows.length, 3)
    assert.equal((await identity.db.selectFrom('mail_counts').selectAll().execute()).length, 2)
  })
})

suite('verification', () => {
  test('works until 23:59:59 after the registration, and not at 24:00:00', async () => {
    for (const [wait, isVerified] of [
      [DAY_MS - 1_000, true],
      [DAY_MS, false],
    ] as const) {
      await using identity = await openEmpty()
      const { apiKey } = await identity.selfRegister(registration('ann@example.com'))
      const token = tokenIn((await identity.mails())[0]?.text ?? '')
      identity.clock.advance(wait)
      if (isVerified) await identity.verifyEmail(token)
      else await assert.rejects(identity.verifyEmail(token), { code: 'invalid_input' })
      assert.equal(await identity.works(apiKey), isVerified)
    }
  })

  test('ten concurrent uses of a link: one activation, ten equal answers', async () => {
    await using identity = await openEmpty()
    await identity.selfRegister(registration('ann@example.com'))
    const token = tokenIn((await identity.mails())[0]?.text ?? '')
    const answers = await Promise.all(Array.from({ length: 10 }, () => identity.verifyEmail(token)))
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    identity.clock.advance(DAY_MS - 1)
    assert.deepEqual(await identity.verifyEmail(token), answers[0])
  })

  test('unknown, expired and malformed tokens get identical refusals', async () => {
    await using identity = await openEmpty()
    await identity.selfRegister(registration('ann@example.com'))
    const token = tokenIn((await identity.mails())[0]?.text ?? '')
    identity.clock.advance(DAY_MS)
    const wrong = [token, 'f'.repeat(64), '', 'x', token.toUpperCase(), `${token} `, '\0', "' or 1=1 --"]
    const refusals = await Promise.all(
      wrong.map((text) => identity.verifyEmail(text).catch(({ code, message }) => ({ code, message }))),
    )
    for (const refusal of refusals) assert.deepEqual(refusal, refusals[0])
  })

  test('a resent link works for a day; an unknown address gets no mail, and the answer is the same', async () => {
    await using identity = await openEmpty()
    const { apiKey } = await identity.selfRegister(registration('ann@example.com'))
    identity.clock.advance(DAY_MS - 1)
    assert.equal(await identity.resendVerification('Ann@example.com'), undefined)
    assert.equal(await identity.resendVerification('nobody@example.com'), undefined)
    const mails = await identity.mails()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      ['ann@example.com', 'ann@example.com'],
    )
    identity.clock.advance(DAY_MS - 1)
    await assert.rejects(identity.verifyEmail(tokenIn(mails[0]?.text ?? '')), { code: 'invalid_input' })
    await identity.verifyEmail(tokenIn(mails[1]?.text ?? ''))
    assert.equal(await identity.works(apiKey), true)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT } from 'jose/jwt/sign'
import { testClock } from '../../../test/support/test-clock.ts'
import { ownTokens } from './own-tokens.ts'

const SECRET = 'a secret of exactly thirty-two b'
const ROOT = 'root@example.com'
const WALLET = `0x${'a1'.repeat(32)}`
const SESSION = { id: 'ses_1', hasFactor: false, issuedBy: 'sign-in' } as const

function open() {
  const clock = testClock()
  const settings = { secret: SECRET, issuer: 'here', audience: 'there', clock }
  const tokens = ownTokens({ ...settings, adminEmails: new Set([ROOT]) })
  /** Signs any claims with the right secret. */
  const sign = (claims: Record<string, unknown>, subject: string) => {
    const now = Math.floor(clock.now() / 1_000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(subject)
      .setIssuer('here')
      .setAudience('there')
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(new TextEncoder().encode(SECRET))
  }
  return {
    clock,
    tokens,
    verifySigned: async (claims: Record<string, unknown>, subject: string) =>
      tokens.verify(await sign(claims, subject)),
  }
}

test('a secret has at least 32 bytes', () => {
  const settings = { issuer: 'here', audience: 'there', clock: testClock() }
  assert.equal(SECRET.length, 32)
  ownTokens({ ...settings, secret: SECRET })
  assert.throws(() => ownTokens({ ...settings, secret: SECRET.slice(1) }), /at least 32 characters/)
})

test('a token contains its user and its session, and expires after a day', async () => {
  const { clock, tokens } = open()
  const issued = await tokens.issue({ email: ROOT, role: 'user' }, SESSION)
  assert.equal(issued.expiresInSeconds, 86_400)
  assert.equal(issued.userId, `here/${ROOT}`)
  assert.equal(tokens.userIdOf(ROOT), issued.userId)
  const { exp, iat } = JSON.parse(atob(issued.token.split('.')[1] ?? ''))
  assert.equal(exp - iat, 86_400)
  assert.deepEqual(await tokens.verify(issued.token), {
    id: `here/${ROOT}`,
    email: ROOT,
    role: 'admin',
    session: { id: 'ses_1', signedInAt: clock.now(), hasFactor: false, issuedBy: 'sign-in' },
  })
})

test('the role comes from ADMIN_EMAILS for a token with a session, and from the claim for one without', async () => {
  const { tokens } = open()
  const roleOf = async (email: string, role: 'user' | 'admin', session?: typeof SESSION) =>
    (await tokens.verify((await tokens.issue({ email, role }, session)).token))?.role
  assert.equal(await roleOf('ann@example.com', 'admin', SESSION), 'user')
  assert.equal(await roleOf(ROOT, 'user', SESSION), 'admin')
  assert.equal(await roleOf('ann@example.com', 'admin'), 'admin')
  assert.equal(await roleOf(ROOT, 'user'), 'user')
})

test('a token issued by the operator has role admin only for the address of an admin or of the operator', async () => {
  const { tokens } = open()
  const verified = async (email: string, issuedBy: 'sign-in' | 'operator') => {
    const user = await tokens.verify(
      (await tokens.issue({ email, role: 'admin' }, { ...SESSION, issuedBy })).token,
    )
    return [user?.role, user?.session?.issuedBy]
  }
  assert.deepEqual(await verified('ann@example.com', 'operator'), ['user', 'operator'])
  assert.deepEqual(await verified(ROOT, 'operator'), ['admin', 'operator'])
  assert.deepEqual(await verified('operator@localhost', 'operator'), ['admin', 'operator'])
  assert.deepEqual(await verified('operator@localhost', 'sign-in'), ['user', 'sign-in'])
})

test('hasFactor is true only if `amr` is a list with mfa', async () => {
  const { tokens, verifySigned } = open()
  const { token } = await tokens.issue({ email: ROOT, role: 'admin' }, { ...SESSION, hasFactor: true })
  assert.equal((await tokens.verify(token))?.session?.hasFactor, true)
  const claims = { email: ROOT, role: 'admin', sid: 'ses_1' }
  for (const amr of [undefined, 'mfa', [], ['pwd'], { 0: 'mfa' }]) {
    const user = await verifySigned({ ...claims, amr }, ROOT)
    assert.equal(user?.session?.hasFactor, false, JSON.stringify(amr))
  }
})

test('a token with a malformed session id is invalid', async () => {
  const { verifySigned } = open()
  const claims = { email: ROOT, role: 'admin' }
  assert.equal((await verifySigned({ ...claims, sid: 'a'.repeat(64) }, ROOT))?.session?.id.length, 64)
  for (const sid of ['', 'a'.repeat(65), 'ses-1', 'ses 1', 7, null, ['ses_1'], true]) {
    assert.equal(await verifySigned({ ...claims, sid }, ROOT), undefined, JSON.stringify(sid))
  }
  assert.equal(await verifySigned({ role: 'admin', sid: 'ses_1' }, ROOT), undefined)
})

test('a wallet token is valid only with role user and the wallet as subject', async () => {
  const { tokens, verifySigned } = open()
  const { token } = await tokens.issue({ wallet: WALLET, role: 'user' })
  const expected = { id: `here/${WALLET}`, email: undefined, wallet: WALLET, role: 'user' }
  assert.deepEqual(await tokens.verify(token), expected)
  const inSession = await verifySigned({ wallet: WALLET, role: 'user', sid: 'ses_1' }, WALLET)
  assert.equal(inSession?.role, 'user')
  assert.equal(inSession?.wallet, WALLET)
  for (const [claims, subject] of [
    [{ wallet: WALLET, role: 'admin' }, WALLET],
    [{ wallet: WALLET, role: 'user' }, 'somebody else'],
    [{ wallet: 7, role: 'user' }, '7'],
    [{ wallet: WALLET }, WALLET],
  ] as const) {
    assert.equal(await verifySigned(claims, subject), undefined, JSON.stringify(claims))
  }
})

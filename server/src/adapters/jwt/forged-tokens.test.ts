import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  ecKey,
  openKeyServer,
  rsaKey,
  type SigningKey,
  signToken,
} from '../../../test/support/services/oidc-issuer.ts'
import { silentLogger } from '../../../test/support/silent-logger.ts'
import { testClock } from '../../../test/support/test-clock.ts'
import { openUserTokens } from './user-tokens.ts'

const SECRET = 'a secret of at least thirty-two characters'
const ISSUER = 'https://login.example.com/'
const RSA = rsaKey('rsa-1')
const EC = ecKey('ec-1')
const STRANGER = rsaKey('rsa-1')
const WEAK = rsaKey('weak', 1024)
const clock = testClock()
const now = Math.floor(clock.now() / 1000)
const day = 86_400

const external = {
  iss: ISSUER,
  sub: 'user-1',
  aud: 'stakewright',
  iat: now,
  exp: now + 3600,
  email: 'Ada@Example.com',
  email_verified: true,
}
const own = {
  iss: 'stakewright',
  sub: 'ada@example.com',
  aud: 'stakewright',
  iat: now,
  exp: now + 3600,
  email: 'ada@example.com',
  role: 'user',
}

const toPart = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** Signed with a shared secret. */
function mac(
  claims: object | string,
  header: object | string = { alg: 'HS256', typ: 'JWT' },
  key: string | Buffer = SECRET,
) {
  const content = `${toPart(header)}.${toPart(claims)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

const pem = (key: SigningKey) => key.publicKey.export({ type: 'spki', format: 'pem' })
const der = (key: SigningKey) => key.publicKey.export({ type: 'spki', format: 'der' })
const jwk = (key: SigningKey) => key.publicKey.export({ format: 'jwk' })
const without = (claims: object, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
const rsaHeader = { alg: 'RS256', kid: 'rsa-1', typ: 'JWT' }
const signed = (claims: object | string, header: object | string = rsaHeader) =>
  signToken(RSA, claims, header)
const ownHeader = (more: object) => ({ alg: 'HS256', typ: 'JWT', ...more })
const good = signed(external)
const [goodHeader = '', goodClaims = '', goodSignature = ''] = good.split('.')

/** Swaps two different characters in the middle, so that the length stays. */
const spoil = (part: string) =>
  (part[9] === 'A' ? `${part.slice(0, 9)}B` : `${part.slice(0, 9)}A`) + part.slice(10)

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The same bytes in another spelling: the last character has bits that are not used. */
const respell = (part: string) => part.slice(0, -1) + BASE64URL[BASE64URL.indexOf(part.at(-1) ?? '') + 1]

const FORGED: Readonly<Record<string, string>> = {
  // Not a signed token at all
  nothing: '',
  dots: '..',
  'two parts': `${goodHeader}.${goodClaims}`,
  'four parts': `${good}.${goodSignature}`,
  'five parts, encrypted': `${goodHeader}.${goodClaims}.${goodSignature}.${goodSignature}.${goodSignature}`,
  'JSON serialisation': JSON.stringify({
    protected: goodHeader,
    payload: goodClaims,
    signature: goodSignature,
  }),
  'a space before': ` ${good}`,
  'a line break after': `${good}\n`,
  'two tokens': `${good},${good}`,
  padding: `${goodHeader}=.${goodClaims}.${goodSignature}`,
  'plain base64': good.replace(/-/g, '+').replace(/_/g, '/').replace(/\./, '/.'),
  unicode: `${good.slice(0, -1)}é`,
  'a zero byte': `${good}\0`,
  'an API key': `stk_${'a'.repeat(46)}`,
  oversized: signed({ ...external, more: 'x'.repeat(8_192) }),
  'header is not JSON': signed(external, 'alg RS256'),
  'header is a list': signed(external, '["RS256"]'),
  'claims are not JSON': signed('hello'),
  'claims are a list': signed([external]),
  'claims are a text': signed(JSON.stringify(good)),
  'claims are null': signed('null'),
  'claims are not UTF-8': `${goodHeader}.${Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url')}.${goodSignature}`,
  'nested: a token in a token': signed(`"${good}"`, { ...rsaHeader, cty: 'JWT' }),
  'nested type': signed(external, { ...rsaHeader, cty: 'JWT' }),

  // Other spellings of the same bytes: the last character has bits that nothing uses
  'signature spelt otherwise': `${goodHeader}.${goodClaims}.${respell(goodSignature)}`,
  'signature spelt otherwise, our own': respell(mac(own)),

  // Signature and algorithm
  'no signature': `${goodHeader}.${goodClaims}.`,
  'spoilt signature': `${goodHeader}.${goodClaims}.${spoil(goodSignature)}`,
  'signature of other claims': `${goodHeader}.${toPart({ ...external, role: 'admin' })}.${goodSignature}`,
  'spoilt header': `${toPart({ ...rsaHeader, x: 1 })}.${goodClaims}.${goodSignature}`,
  'alg none': `${toPart({ alg: 'none', typ: 'JWT' })}.${goodClaims}.`,
  'alg none with a signature': signed(external, { alg: 'none', kid: 'rsa-1' }),
  'alg None': signed(external, { alg: 'None', kid: 'rsa-1' }),
  'alg NONE for our own': `${toPart({ alg: 'NONE', typ: 'JWT' })}.${toPart(own)}.${goodSignature}`,
  'alg is empty': signed(external, { alg: '', kid: 'rsa-1' }),
  'alg is missing': signed(external, { kid: 'rsa-1' }),
  'alg is a list': signed(external, { alg: ['RS256'], kid: 'rsa-1' }),
  'alg in lower case': signed(external, { alg: 'rs256', kid: 'rsa-1' }),
  'HS256 with the RSA key in PEM': mac(
    external,
    { alg: 'HS256', kid: 'rsa-1', typ: 'JWT' },
    pem(RSA).toString(),
  ),
  'HS256 with the RSA key in DER': mac(external, { alg: 'HS256', kid: 'rsa-1', typ: 'JWT' }, der(RSA)),
  'HS256 with the EC key in PEM': mac(
    external,
    { alg: 'HS256', kid: 'ec-1', typ: 'JWT' },
    pem(EC).toString(),
  ),
  'HS256 with the RSA modulus': mac(
    external,
    { alg: 'HS256', kid: 'rsa-1' },
    Buffer.from(jwk(RSA).n ?? '', 'base64url'),
  ),
  'HS256 with the RSA key as our own': mac(own, ownHeader({ kid: 'rsa-1' }), pem(RSA).toString()),
  'HS256 with our secret for the other issuer': mac(external),
  'RS256 for our own issuer': signed({ ...own }),
  'our secret under RS256': mac(own, rsaHeader),
  'HS384 with our secret': mac(own, ownHeader({ alg: 'HS384' })),
  'HS512 with our secret': mac(own, ownHeader({ alg: 'HS512' })),
  'empty secret': mac(own, ownHeader({}), Buffer.alloc(0)),
  'another secret': mac(own, ownHeader({}), `${SECRET}!`),
  'the right kid, the wrong key': signToken(STRANGER, external, rsaHeader),
  'a kid of another key': signed(external, { ...rsaHeader, kid: 'ec-1' }),
  'an unknown kid': signed(external, { ...rsaHeader, kid: 'rsa-2' }),
  'a kid that is a path': signed(external, { ...rsaHeader, kid: '../../../../dev/null' }),
  'a kid with SQL': signed(external, { ...rsaHeader, kid: "' or '1'='1" }),
  'a kid of the prototype': signed(external, { ...rsaHeader, kid: '__proto__' }),
  'a kid that is a number': signed(external, { ...rsaHeader, kid: 1 }),
  'a kid that is a list': signed(external, { ...rsaHeader, kid: ['rsa-1'] }),
  'no kid where several keys would do': signToken(ecKey('x'), external, { alg: 'ES256', typ: 'JWT' }),
  'a key too weak to trust': signToken(WEAK, external, { alg: 'RS256', kid: 'weak', typ: 'JWT' }),
  'embedded jwk': signToken(STRANGER, external, { ...rsaHeader, jwk: jwk(STRANGER) }),
  'embedded jwk beside a good signature': signed(external, { ...rsaHeader, jwk: jwk(RSA) }),
  jku: signToken(STRANGER, external, { ...rsaHeader, jku: 'https://evil.example.com/keys' }),
  x5u: signToken(STRANGER, external, { ...rsaHeader, x5u: 'https://evil.example.com/cert' }),
  x5c: signToken(STRANGER, external, { ...rsaHeader, x5c: [der(STRANGER).toString('base64')] }),
  crit: signed(external, { ...rsaHeader, crit: ['exp'], exp: now + 60 }),
  'crit unknown': signed(external, { ...rsaHeader, crit: ['x'], x: 1 }),
  'unencoded payload': signed(external, { ...rsaHeader, b64: false, crit: ['b64'] }),
  compressed: signed(external, { ...rsaHeader, zip: 'DEF' }),
  'duplicate alg': signed(external, '{"alg":"none","kid":"rsa-1","alg":"RS256"}'),
  'duplicate kid': signed(external, '{"alg":"RS256","kid":"x","kid":"rsa-1"}'),

  // Claims
  'duplicate role': signed(
    JSON.stringify(external).replace('{', '{"role":"user",').replace('}', ',"role":"admin"}'),
  ),
  'duplicate sub, escaped': signed(JSON.stringify(external).replace('{', '{"su\\u0062":"victim",')),
  'duplicate claim, our own': mac(JSON.stringify(own).replace('{', '{"role":"admin",')),
  'wrong aud': signed({ ...external, aud: 'another' }),
  'wrong aud, our own': mac({ ...own, aud: 'another' }),
  'missing aud': signed(without(external, 'aud')),
  'missing aud, our own': mac(without(own, 'aud')),
  'aud is a list of others': signed({ ...external, aud: ['a', 'b'] }),
  'aud is an empty list': signed({ ...external, aud: [] }),
  'aud is a nested list': signed({ ...external, aud: [['stakewright']] }),
  'aud is an object': signed({ ...external, aud: { stakewright: true } }),
  'aud in upper case': signed({ ...external, aud: 'Stakewright' }),
  'aud begins like ours': signed({ ...external, aud: 'stakewright-staging' }),
  'aud is a list, our own': mac({ ...own, aud: ['stakewright'] }),
  'iss without the slash': signed({ ...external, iss: ISSUER.slice(0, -1) }),
  'iss with http': signed({ ...external, iss: ISSUER.replace('https', 'http') }),
  'iss in upper case': signed({ ...external, iss: ISSUER.toUpperCase() }),
  'iss with a space': signed({ ...external, iss: `${ISSUER} ` }),
  'iss of somebody else': signed({ ...external, iss: 'https://evil.example.com/' }),
  'iss is a list': signed({ ...external, iss: [ISSUER] }),
  'missing iss': signed(without(external, 'iss')),
  'missing iss, our own': mac(without(own, 'iss')),
  'missing sub': signed(without(external, 'sub')),
  'empty sub': signed({ ...external, sub: '' }),
  'sub is a number': signed({ ...external, sub: 1 }),
  'sub is a list': signed({ ...external, sub: ['user-1'] }),
  'sub with a line break': signed({ ...external, sub: 'user\n1' }),
  'sub in another script': signed({ ...external, sub: 'usеr-1' }),
  'sub too long': signed({ ...external, sub: 'x'.repeat(256) }),
  'missing exp': signed(without(external, 'exp')),
  'missing exp, our own': mac(without(own, 'exp')),
  'exp is a text': signed({ ...external, exp: String(now + 60) }),
  'exp is null': signed({ ...external, exp: null }),
  'expired 30 s ago': signed({ ...external, exp: now - 30 }),
  'expired 31 s ago': signed({ ...external, exp: now - 31 }),
  'expired 31 s ago, our own': mac({ ...own, exp: now - 31 }),
  'not before 31 s from now': signed({ ...external, nbf: now + 31 }),
  'nbf is a text': signed({ ...external, nbf: String(now) }),
  'missing iat': signed(without(external, 'iat')),
  'missing iat, our own': mac(without(own, 'iat')),
  'iat is a text': signed({ ...external, iat: String(now) }),
  'issued 31 s from now': signed({ ...external, iat: now + 31 }),
  'issued a day and 31 s ago': signed({ ...external, iat: now - day - 31, exp: now + 60 }),
  'issued a day and 31 s ago, our own': mac({ ...own, iat: now - day - 31, exp: now + 60 }),
  'a logout token': signed(external, { ...rsaHeader, typ: 'logout+jwt' }),
  'a DPoP proof': signed(external, { ...rsaHeader, typ: 'dpop+jwt' }),
  'another typ, our own': mac(own, { alg: 'HS256', typ: 'at+jwt' }),
  'no typ, our own': mac(own, { alg: 'HS256' }),
  'our own without e-mail': mac(without(own, 'email')),
  'our own with an e-mail that is not its subject': mac({ ...own, email: 'admin@example.com' }),
  'our own without role': mac(without(own, 'role')),
  'our own with an unknown role': mac({ ...own, role: 'root' }),
}

const settings = {
  secret: SECRET,
  issuer: 'stakewright',
  audience: 'stakewright',
  adminEmails: new Set(['kim@example.com']),
  clock,
  logger: silentLogger,
}

test(`${Object.keys(FORGED).length} forged or malformed tokens are all refused`, async (t) => {
  await using keys = await openKeyServer([RSA, EC, ecKey('ec-2'), WEAK])
  await using tokens = openUserTokens({
    ...settings,
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
  })
  await tokens.refreshKeys()
  assert.equal((await tokens.verify(good))?.id, 'https%3A%2F%2Flogin.example.com%2F/user-1')
  for (const [name, token] of Object.entries(FORGED)) {
    await t.test(name, async () => assert.equal(await tokens.verify(token), undefined))
  }
  assert.equal(keys.fetches(), 1, 'none of them made the service ask the issuer')
})

const GOOD: Readonly<Record<string, string>> = {
  'as issued': good,
  'signed with ES256': signToken(EC, external),
  'signed with PS256': signToken({ ...RSA, alg: 'PS256', kid: 'ps-1' }, external),
  'aud is a list with ours': signed({ ...external, aud: ['another', 'stakewright'] }),
  'expired 29 s ago': signed({ ...external, exp: now - 29 }),
  'not before 30 s from now': signed({ ...external, nbf: now + 30 }),
  'issued 30 s from now': signed({ ...external, iat: now + 30 }),
  'issued a day and 30 s ago': signed({ ...external, iat: now - day - 30 }),
  'an access token by its typ': signed(external, { ...rsaHeader, typ: 'at+jwt' }),
  'no typ': signed(external, { alg: 'RS256', kid: 'rsa-1' }),
  'our own': mac(own),
  'our own, expired 29 s ago': mac({ ...own, exp: now - 29 }),
}

test('tokens at the limits of the rules are accepted, to the second', async (t) => {
  await using keys = await openKeyServer([RSA, EC, { ...RSA, alg: 'PS256', kid: 'ps-1' }])
  await using tokens = openUserTokens({
    ...settings,
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
  })
  await tokens.refreshKeys()
  for (const [name, token] of Object.entries(GOOD)) {
    await t.test(name, async () => {
      const user = await tokens.verify(token)
      assert.equal(user?.email, 'ada@example.com')
      assert.equal(user?.role, 'user')
    })
  }
})

const NOT_ADMIN: Readonly<Record<string, object>> = {
  'role true': { role: true },
  'role "true"': { role: 'true' },
  'role 1': { role: 1 },
  'role in upper case': { role: 'ADMIN' },
  'role capitalised': { role: 'Admin' },
  'role with a space': { role: 'admin ' },
  'role with a zero byte': { role: 'admin\0' },
  'role with a Cyrillic letter': { role: 'аdmin' },
  'role in full-width letters': { role: 'ａｄｍｉｎ' },
  'role in a list': { role: ['admin'] },
  'role in an object': { role: { admin: true } },
  'role that is null': { role: null },
  roles: { roles: ['admin'] },
  'nested role': { user: { role: 'admin' } },
  'role of the prototype': JSON.parse('{"__proto__":{"role":"admin"}}'),
  admin: { admin: true, is_admin: true, scope: 'admin' },
  'an admin’s e-mail, not verified': { email: 'kim@example.com', email_verified: false },
  'an admin’s e-mail, verified as a text': { email: 'kim@example.com', email_verified: 'true' },
  'an admin’s e-mail, verified as 1': { email: 'kim@example.com', email_verified: 1 },
  'an admin’s e-mail with a tag': { email: 'kim+x@example.com' },
  'an admin’s e-mail in a list': { email: ['kim@example.com'] },
  'an admin’s e-mail with a Kelvin sign': {
    email: '\u212aim@example.com',
  },
  'an admin’s e-mail and another': { email: 'kim@example.com,eve@example.com' },
}

test('only the exact role, or the verified e-mail of an admin, makes an admin', async (t) => {
  await using keys = await openKeyServer([RSA])
  await using tokens = openUserTokens({
    ...settings,
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
  })
  const roleOf = async (more: object) => (await tokens.verify(signed({ ...external, ...more })))?.role
  for (const [name, more] of Object.entries(NOT_ADMIN)) {
    await t.test(name, async () => assert.equal(await roleOf(more), 'user'))
    await t.test(`${name}, in a token of our own`, async () =>
      assert.notEqual((await tokens.verify(mac({ ...own, ...more })))?.role, 'admin'),
    )
  }
  assert.equal(await roleOf({ role: 'admin' }), 'admin')
  assert.equal(await roleOf({ email: 'Kim@Example.com' }), 'admin')
  assert.equal((await tokens.verify(mac({ ...own, role: 'admin' })))?.role, 'admin')
})

test('an e-mail address that the issuer has not verified is ignored', async () => {
  await using keys = await openKeyServer([RSA])
  await using tokens = openUserTokens({
    ...settings,
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
  })
  for (const email_verified of [false, 'true', 1, null, undefined, ['true'], {}]) {
    const user = await tokens.verify(signed({ ...external, email_verified }))
    assert(user)
    assert.equal(user.email, undefined)
  }
})

test('without an external issuer, none of its tokens is accepted', async () => {
  await using tokens = openUserTokens({ ...settings, external: undefined })
  assert.equal(await tokens.verify(good), undefined)
  assert(await tokens.verify(mac(own)))
})

test('equal subjects of two issuers are different users', async () => {
  await using keys = await openKeyServer([RSA])
  await using tokens = openUserTokens({
    ...settings,
    external: { jwksUrl: keys.url, issuer: ISSUER, audience: 'stakewright' },
  })
  const here = await tokens.verify(mac(own))
  const there = await tokens.verify(signed({ ...external, sub: own.sub }))
  assert(here && there)
  assert.notEqual(here.id, there.id)
})

test('a token of our own is accepted until it expires, with 30 s of clock tolerance', async () => {
  const time = testClock()
  await using tokens = openUserTokens({ ...settings, clock: time, external: undefined })
  const { token, expiresInSeconds } = await tokens.issue({ email: 'ada@example.com', role: 'admin' })
  assert.deepEqual(await tokens.verify(token), {
    id: 'stakewright/ada@example.com',
    email: 'ada@example.com',
    role: 'admin',
  })
  time.advance((expiresInSeconds + 29) * 1000)
  assert(await tokens.verify(token))
  time.advance(1000)
  assert.equal(await tokens.verify(token), undefined)
})

test('a weak secret, a key set over plain HTTP, or equal issuer names are refused at the start', () => {
  const outside = { jwksUrl: 'https://login.example.com/keys', issuer: ISSUER, audience: 'stakewright' }
  assert.throws(() => openUserTokens({ ...settings, secret: 'short', external: undefined }), /JWT_SECRET/)
  assert.throws(
    () => openUserTokens({ ...settings, external: { ...outside, jwksUrl: 'http://login.example.com/keys' } }),
    /JWT_JWKS_URL/,
  )
  assert.throws(
    () => openUserTokens({ ...settings, external: { ...outside, issuer: 'stakewright' } }),
    /JWT_ISSUER/,
  )
})

import assert from 'node:assert/strict'
import { createHmac, hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

type Json = Readonly<Record<string, unknown>>
type Forged = readonly [name: string, token: string]

const toPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const fromPart = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString())
const without = (all: Json, name: string): Json =>
  Object.fromEntries(Object.entries(all).filter(([key]) => key !== name))

/** The parts of a good token, and a function that signs others: in this test the forger even has the secret. */
function openForge(good: string, secret: string, now: number) {
  const [head = '', body = '', signature = ''] = good.split('.')
  const [header, claims] = [fromPart(head), fromPart(body)]
  const sign = (header: unknown, claims: unknown, key: string | Buffer = secret) => {
    const content = `${toPart(header)}.${toPart(claims)}`
    return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  }
  return { good, head, body, signature, header, claims, sign, secret, now: Math.floor(now / 1000) }
}
type Forge = ReturnType<typeof openForge>

/** Changes every character of the signature, one at a time. */
const signatures = ({ head, body, signature }: Forge): Forged[] =>
  [...signature].map((letter, at) => {
    const other = letter === 'A' ? 'Q' : 'A'
    return [
      `signature, character ${at}`,
      `${head}.${body}.${signature.slice(0, at)}${other}${signature.slice(at + 1)}`,
    ]
  })

const ALGORITHMS = [
  'none',
  'None',
  'NONE',
  'nOnE',
  '',
  'HS384',
  'HS512',
  'RS256',
  'ES256',
  'PS256',
  'EdDSA',
  'hs256',
  'HS256 ',
  null,
  0,
  [],
  {},
  ['HS256'],
]

const algorithms = ({ header, claims, signature, sign }: Forge): Forged[] =>
  ALGORITHMS.flatMap((alg) => {
    const changed = { ...header, alg }
    const content = `${toPart(changed)}.${toPart(claims)}`
    const name = `alg ${JSON.stringify(alg)}`
    return [
      [`${name}, the old signature`, `${content}.${signature}`],
      [`${name}, no signature`, `${content}.`],
      [`${name}, signed with the secret`, sign(changed, claims)],
      [`${name}, signed with nothing`, sign(changed, claims, Buffer.alloc(0))],
    ]
  })

const headers = ({ header, claims, sign }: Forge): Forged[] =>
  [
    { typ: 'at+jwt' },
    { typ: 'JWE' },
    { typ: 1 },
    { typ: null },
    { typ: undefined },
    { crit: ['exp'], exp: 1 },
    { crit: ['b64'], b64: false },
    { crit: [] },
    { crit: 'exp' },
  ].map((more) => [`header ${JSON.stringify(more)}`, sign({ ...header, ...more }, claims)])

/** Each claim in each wrong form, with a valid signature. */
const claimForms = ({ header, claims, sign }: Forge): Forged[] =>
  ['iss', 'sub', 'aud', 'email', 'role', 'iat', 'exp', 'sid'].flatMap((name) => {
    const value = claims[name]
    const forms: unknown[] = [
      null,
      0,
      -1,
      '',
      ' ',
      [],
      {},
      true,
      false,
      'x',
      [value],
      { value },
      `${value} `,
      `${value}\u0000`,
    ]
    const changed = forms.map(
      (form): Forged => [`${name} ${JSON.stringify(form)}`, sign(header, { ...claims, [name]: form })],
    )
    const missing: Forged = [`${name} is missing`, sign(header, without(claims, name))]
    // A token without a session is valid until it expires: the operator issues such tokens.
    return name === 'sid' ? changed : [...changed, missing]
  })

const times = ({ header, claims, sign, now }: Forge): Forged[] =>
  [
    { exp: now - 31 },
    { exp: now - 86_400 },
    { iat: now + 31, exp: now + 3_600 },
    { iat: now + 86_400 },
    { iat: now - 86_400 - 31 },
    { iat: now - 10 * 86_400 },
    { nbf: now + 31 },
    { nbf: 'soon' },
    { exp: '9999999999' },
    { iat: '0' },
  ].map((more) => [`times ${JSON.stringify(more)}`, sign(header, { ...claims, ...more })])

const secrets = ({ header, claims, sign, secret }: Forge): Forged[] =>
  [
    '',
    ' ',
    'secret',
    'stakewright',
    secret.slice(1),
    `${secret} `,
    `${secret}\n`,
    secret.toUpperCase(),
    [...secret].reverse().join(''),
    hash('sha256', secret),
    Buffer.from(secret, 'base64'),
    Buffer.from(secret, 'utf16le'),
  ].map((key, at) => [`signed with another secret, ${at}`, sign(header, claims, key)])

const shapes = ({ good, head, body, signature, claims }: Forge): Forged[] => [
  ['two parts', `${head}.${body}`],
  ['one part', head],
  ['dots', '..'],
  ['four parts', `${good}.${signature}`],
  ['five parts', `${good}.${signature}.${signature}`],
  ['claims first', `${body}.${head}.${signature}`],
  ['padded', `${head}.${body}.${signature}=`],
  ['claims of an admin', `${head}.${toPart({ ...claims, role: 'admin' })}.${signature}`],
  [
    'claims of another',
    `${head}.${toPart({ ...claims, sub: 'bob@example.com', email: 'bob@example.com' })}.${signature}`,
  ],
  ['too long', `${head}.${toPart({ ...claims, more: 'x'.repeat(9_000) })}.${signature}`],
  ['an API key', `stk_${'a'.repeat(46)}`],
]

const FORGERIES = [signatures, algorithms, headers, claimForms, times, secrets, shapes]

const statusOf = async (app: TestApp, token: string) =>
  fetch(`${app.url}/api/v1/agents`, { headers: { authorization: `Bearer ${token}` } })

test('401: every forged token is refused at the door, the good one works before and after', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
  const good = await signIn(app, 'ann@example.com')
  const secret = (await readFile(join(app.folder, 'jwt-secret'), 'utf8')).trim()
  const forge = openForge(good, secret, app.clock.now())
  // `sign` makes valid tokens, too: the refusals below are due to the changes.
  assert.equal((await statusOf(app, forge.sign(forge.header, forge.claims))).status, 200)
  const corpus = new Map(FORGERIES.flatMap((make) => make(forge)))
  assert(corpus.size >= 250, `${corpus.size} forged tokens`)
  for (const [name, token] of corpus) {
    const answer = await statusOf(app, token)
    const text = await answer.text()
    assert.equal(answer.status, 401, `${name}: ${text}`)
    assert.match(text, /"error":"unauthorized"/, name)
    assert.equal(answer.headers.get('x-ratelimit-remaining'), null, name)
  }
  assert.equal((await statusOf(app, good)).status, 200)
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
})

test('401: a token with the session of another user, or with an ended one, is refused', async () => {
  await using app = await openTestApp()
  const good = await signIn(app, 'ann@example.com')
  const other = await signIn(app, 'bob@example.com')
  const secret = (await readFile(join(app.folder, 'jwt-secret'), 'utf8')).trim()
  const forge = openForge(good, secret, app.clock.now())
  const { sid } = fromPart(other.split('.')[1])
  assert.equal((await statusOf(app, forge.sign(forge.header, { ...forge.claims, sid }))).status, 401)
  const bob = app.client({ token: other })
  await bob.endSession({ id: String(sid) })
  assert.equal((await statusOf(app, other)).status, 401)
})

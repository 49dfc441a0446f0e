import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { hideSecrets } from './shown.ts'
import { VARIABLES, type Variable } from './variables.ts'

const SHOWN_URLS: readonly (readonly [given: string, shown: string])[] = [
  ['https://node.example.org', 'https://node.example.org'],
  ['https://node.example.org:8443/', 'https://node.example.org:8443'],
  ['https://node.example.org/k3y', 'https://node.example.org/***'],
  ['https://node.example.org/?key=k3y', 'https://node.example.org/***'],
  ['https://node.example.org/#k3y', 'https://node.example.org/***'],
  ['https://ann:k3y@node.example.org', 'https://node.example.org/***'],
  [
    'https://ann:k3y,2@a.example.org/x, https://b.example.org',
    'https://a.example.org/***,https://b.example.org',
  ],
  ['https://ann:1/k3y@node.example.org', '***'],
  [
    '[{"url":"https://a.example.org/k3y","headers":{"x-token":"k3y"}},"https://b.example.org"]',
    'https://a.example.org/***,https://b.example.org',
  ],
  ['[{"url":"k3y"}]', '***'],
  ['postgres://me:k3y@one:5432,two/stake?x=k3y', 'postgres://one:5432,two/***'],
]

for (const [given, shown] of SHOWN_URLS) {
  test(`${given} is shown as ${shown}`, () => assert.equal(hideSecrets(given, 'url'), shown))
}

const SECRET = 'c/nary-8Zq3vT0nWb6Kd1Ys7Lx4Hg9Rm'
const inUrl = (scheme: string) => `${scheme}://ann:${encodeURIComponent(SECRET)}@node.example.org`

/** A value with a secret for each secret variable. */
const GIVEN: Readonly<Record<string, string>> = {
  KEY_PEPPER: SECRET,
  JWT_SECRET: SECRET,
  METRICS_TOKEN: SECRET,
  INTENT_KEYS: `${SECRET}@2026-01-31T12:00:00Z`,
  SUI_RPC_HEADERS: JSON.stringify({ 'plain.example.org': { authorization: `Bearer ${SECRET}` } }),
  DATABASE_URL: inUrl('postgres'),
  REDIS_URL: inUrl('redis'),
  SMTP_URL: inUrl('smtp'),
  SUI_RPC_URLS: inUrl('https'),
  SUI_GRAPHQL_URL: inUrl('https'),
  PRICE_URL: inUrl('https'),
  JWT_JWKS_URL: inUrl('https'),
}
const OTHER = 'another-one-5Ju2Pc8Fk0Vt6Xe3Qn9D'
const BESIDE = {
  NETWORK: 'ika',
  SUI_RPC_URLS: 'https://plain.example.org',
  DATABASE_URL: 'postgres://db',
  KEY_PEPPER: `${OTHER}-1`,
  JWT_SECRET: `${OTHER}-2`,
  JWT_ISSUER: 'x',
  JWT_AUDIENCE: 'x',
}

for (const [name, { secret }] of Object.entries<Variable>(VARIABLES)) {
  if (secret === undefined) continue
  test(`${name}: its secret is hidden in the printed settings and in texts that repeat it`, () => {
    const read = readConfig({ ...BESIDE, [name]: GIVEN[name] })
    assert(read.kind === 'ok', JSON.stringify(read))
    const { hide, settings } = read.config
    assert.equal(settings.find((setting) => setting.name === name)?.source, 'environment')
    const said = hide(`${JSON.stringify(settings)} ${SECRET} ${encodeURIComponent(SECRET)}`)
    assert.doesNotMatch(said, /nary|8Zq3|Hg9Rm/)
    assert.match(said, / \*\*\* \*\*\*$/)
  })
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { VARIABLES } from './config/variables.ts'
import { type Config, describeConfig, helpText, readConfig } from './config.ts'

const SECRET = 'a-secret-of-more-than-32-characters!'
const POSTGRES = {
  DATABASE_URL: 'postgres://me:hunter2@db/stake',
  KEY_PEPPER: SECRET,
  JWT_SECRET: `${SECRET}2`,
}

function configOf(env: Record<string, string>): Config {
  const read = readConfig(env)
  assert(read.kind === 'ok', `should be accepted: ${JSON.stringify(read)}`)
  return read.config
}

function problemsOf(env: Record<string, string>): readonly string[] {
  const read = readConfig(env)
  assert(read.kind === 'wrong', `should be refused: ${JSON.stringify(env)}`)
  return read.problems
}

test('a variable one or two edits from a known one is named, and no other unknown one', () => {
  const near = {
    LIMIT_IP_RMP: 'LIMIT_IP_RPM',
    LIMTI_GLOBAL_RPM: 'LIMIT_GLOBAL_RPM',
    SUI_RPC_URL: 'SUI_RPC_URLS',
    database_url: 'DATABASE_URL',
    AUDIT_RETENTION_DAY: 'AUDIT_RETENTION_DAYS',
  }
  const others = ['NODE_ENV', 'POST', 'HOSTS', 'REDIS_PORT', 'LIMIT_X', 'PATH', 'HOME', 'STAKEWRIGHT_URL']
  const known = Object.keys(VARIABLES).map((name) => [name, ' '])
  const given = [...Object.keys(near), ...others].map((name) => [name, 'hunter2'])
  const { misspelt } = configOf(Object.fromEntries([...known, ...given, ['LIMIT_IP_RPMM', ' ']]))
  assert.deepEqual(Object.fromEntries(misspelt.map(({ name, meant }) => [name, meant])), near)
})

test('an empty environment is a complete configuration: embedded, sandboxed, on loopback', () => {
  const config = configOf({})
  assert.deepEqual(config.http, {
    host: '127.0.0.1',
    port: 3000,
    publicUrl: undefined,
    trustProxyHops: 0,
    requestTimeoutMs: 10_000,
    corsOrigins: [],
    connectionsPerAddress: 500,
  })
  assert.deepEqual(config.metrics, { port: undefined, token: undefined })
  assert.deepEqual(config.database, { kind: 'sqlite', folder: './data', synchronous: 'full' })
  assert.deepEqual(config.chain, { kind: 'sandbox', seed: 1, epochMs: 600_000 })
  assert.deepEqual(config.mail.transport, { kind: 'outbox', folder: 'data/outbox' })
  assert.deepEqual(config.keys, { prefix: 'stk', pepper: undefined })
  assert.deepEqual(config.limits, {
    ipPerMinute: 100,
    globalPerMinute: 10_000,
    registrationsPerIpHour: 3,
    registrationsPerIpDay: 10,
    registrationsPerDay: 100,
    agentsPerOwner: 25,
  })
})

test('given variables are used', () => {
  const config = configOf({
    ...POSTGRES,
    PORT: '8080',
    WORKERS: '4',
    PUBLIC_URL: 'https://stake.example.org/',
    NETWORK: 'ika',
    SUI_RPC_URLS: 'https://a.example.org, https://b.example.org:443',
    SUI_RPC_HEADERS: '{"B.example.org":{"X-Token":"abc"}}',
    SUI_GRAPHQL_URL: 'https://b.example.org/graphql',
    SUI_GRAPHQL_OBJECTS: '2000',
    SUI_RPC_CALLS: '500',
    ADMIN_EMAILS: 'Ann@Example.org,bo@example.org',
    SMTP_URL: 'smtps://u:p@mail.example.org',
    MAIL_FROM: 'Staking Desk <desk@example.org>',
  })
  assert.equal(config.http.port, 8080)
  assert.equal(config.http.publicUrl, 'https://stake.example.org')
  assert.deepEqual(config.database, { kind: 'postgres', urls: [POSTGRES.DATABASE_URL] })
  assert.deepEqual(config.chain, {
    kind: 'sui',
    network: 'ika',
    nodes: [
      { url: 'https://a.example.org', headers: {} },
      { url: 'https://b.example.org:443', headers: { 'x-token': 'abc' } },
    ],
    callsPerWindow: 500,
    reservedCalls: 63,
    holders: {
      endpoint: { url: 'https://b.example.org/graphql', headers: { 'x-token': 'abc' } },
      maxObjects: 2_000,
    },
  })
  assert.deepEqual(config.tokens.adminEmails, ['ann@example.org', 'bo@example.org'])
  assert.deepEqual(config.mail.transport, { kind: 'smtp', url: 'smtps://u:p@mail.example.org' })
})

test('headers of a node in JSON take precedence over those of its host', () => {
  const { chain } = configOf({
    NETWORK: 'ika',
    SUI_RPC_URLS:
      '[{"url":"https://a.example.org/x","headers":{"X-Token":"own"}},{"url":"https://a.example.org/y"},"https://b.example.org"]',
    SUI_RPC_HEADERS: '{"a.example.org":{"x-token":"of the host","x-more":"1"}}',
  })
  assert(chain.kind === 'sui')
  assert.deepEqual(chain.nodes, [
    { url: 'https://a.example.org/x', headers: { 'x-token': 'own', 'x-more': '1' } },
    { url: 'https://a.example.org/y', headers: { 'x-token': 'of the host', 'x-more': '1' } },
    { url: 'https://b.example.org', headers: {} },
  ])
})

test('a blank variable counts as unset', () => {
  const nothing = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, ' ']))
  assert.deepEqual(configOf(nothing), configOf({}))
})

test('unknown variables are ignored, even with similar names', () => {
  const { misspelt, ...config } = configOf({ PORTT: 'x', LIMIT_IP_RPMM: '-1', port: 'x', PATH: '/bin' })
  assert.deepEqual({ ...config, misspelt: [] }, configOf({}))
  assert.equal(misspelt.length, 1)
})

test('too few calls for the refresh interval are refused, with values that would suffice', () => {
  const on =
    (NETWORK: string, SUI_RPC_CALLS: string, REFRESH_MS = '5000') =>
    () =>
      configOf({ NETWORK, SUI_RPC_URLS: 'https://a.example.org', SUI_RPC_CALLS, REFRESH_MS })
  assert.throws(on('ika', '42'), {
    message:
      /SUI_RPC_CALLS=42 is too little for NETWORK=ika with REFRESH_MS=5000: set it to 71 or more if the nodes allow that many calls in 30 s, or REFRESH_MS to 30000 or more\./,
  })
  assert.throws(on('walrus', '100', '2000'), {
    message: /set it to 134 or more .* REFRESH_MS to 5000 or more/,
  })
  assert.throws(on('ika', '20'), {
    message: /set it to 71 or more if the nodes allow that many calls in 30 s\./,
  })
  assert.throws(on('sui', '34'), { message: /set it to 35 or more/ })
  for (const enough of [on('ika', '71'), on('ika', '43', '15000'), on('ika', '36', '30000'), on('sui', '35')])
    assert.doesNotThrow(enough)
})

const WRONG: readonly (readonly [name: string, value: string, problem: RegExp])[] = [
  ['PORT', '65536', /^PORT must be a whole number from 0 to 65535, not "65536"\.$/],
  ['PORT', '-1', /PORT/],
  ['PORT', '80.5', /PORT/],
  ['PORT', '0x50', /PORT/],
  ['PORT', '1e3', /PORT/],
  ['HOST', 'my host', /HOST must be an IP address or a host name/],
  ['PUBLIC_URL', 'stake.example.org', /PUBLIC_URL must be a URL that starts with http:\/\/ or https:\/\//],
  ['PUBLIC_URL', 'https://', /PUBLIC_URL/],
  ['TRUST_PROXY_HOPS', 'true', /TRUST_PROXY_HOPS/],
  ['REQUEST_TIMEOUT_MS', '10s', /REQUEST_TIMEOUT_MS/],
  ['WORKERS', '0', /WORKERS/],
  ['WORKERS', '2', /WORKERS above 1 needs DATABASE_URL/],
  ['DATABASE_URL', 'mysql://db/x', /DATABASE_URL must be a URL that starts with postgres:\/\//],
  ['SQLITE_SYNCHRONOUS', 'off', /SQLITE_SYNCHRONOUS must be one of full, normal/],
  ['REDIS_URL', 'localhost:6379', /REDIS_URL/],
  [
    'NETWORK',
    'mainnet',
    /NETWORK must be one of sandbox, ika, walrus, sui, ika-testnet, walrus-testnet, sui-testnet, not "mainnet"/,
  ],
  ['NETWORK', 'ika', /SUI_RPC_URLS is required with NETWORK=ika/],
  ['SUI_RPC_URLS', 'https://a.example.org,,', /SUI_RPC_URLS/],
  ['SUI_RPC_URLS', 'https://a.example.org', /^SUI_RPC_URLS needs NETWORK/],
  ['SUI_RPC_URLS', '{"a.example.org":{"x-token":"t"}}', /^SUI_RPC_URLS must be .*JSON list.*SUI_RPC_HEADERS/],
  ['SUI_RPC_URLS', '[]', /^SUI_RPC_URLS must be/],
  ['SUI_RPC_URLS', '[{"url":"ftp://a"}]', /^SUI_RPC_URLS must be/],
  ['SUI_RPC_URLS', '[{"url":"https://a","header":{}}]', /^SUI_RPC_URLS must be/],
  ['SUI_RPC_URLS', '[{"url":"https://a","headers":{"host":"b"}}]', /^SUI_RPC_URLS must be/],
  ['SUI_RPC_URLS', 'https://a,https://A/', /^SUI_RPC_URLS names the same node twice: a\./],
  ['SUI_RPC_URLS', 'https://a/x,https://a:443//x/', /^SUI_RPC_URLS names the same node twice: a\./],
  ['SUI_RPC_URLS', 'https://a,https://a./#b', /^SUI_RPC_URLS names the same node twice: a\./],
  ['SUI_RPC_URLS', 'https://a,http://a', /^SUI_RPC_URLS names the same node twice: a\./],
  [
    'SUI_RPC_HEADERS',
    '{"a.example.org":{"x-token":"t"}}',
    /^SUI_RPC_HEADERS names hosts .*: a\.example\.org/,
  ],
  ['SUI_RPC_HEADERS', 'x-token: t', /^SUI_RPC_HEADERS must be a JSON object from host to headers/],
  ['SUI_RPC_HEADERS', '["x-token"]', /^SUI_RPC_HEADERS must be/],
  ['SUI_RPC_HEADERS', '{"a.example.org":"t"}', /^SUI_RPC_HEADERS must be/],
  ['SUI_RPC_HEADERS', '{"a.example.org":{"x-token":1}}', /^SUI_RPC_HEADERS must be/],
  ['SUI_RPC_HEADERS', '{"a.example.org":{"x token":"t"}}', /^SUI_RPC_HEADERS must be/],
  ['SUI_RPC_HEADERS', '{"a.example.org":{"x":"t\\r\\ny: z"}}', /^SUI_RPC_HEADERS must be/],
  ['SUI_RPC_HEADERS', '{"a.example.org":{"Content-Type":"t"}}', /^SUI_RPC_HEADERS must be/],
  ['REFRESH_MS', '60000', /REFRESH_MS/],
  ['PRICE_URL', 'ftp://x', /PRICE_URL/],
  ['SANDBOX_SEED', '4294967296', /SANDBOX_SEED/],
  ['SANDBOX_EPOCH_MS', '10', /SANDBOX_EPOCH_MS/],
  ['KEY_PREFIX', 'STK_', /KEY_PREFIX must be 2 to 8 lower-case letters and digits/],
  ['KEY_PEPPER', 'short', /^KEY_PEPPER must be at least 32 characters long/],
  ['JWT_SECRET', 'short', /^JWT_SECRET must be at least 32 characters long/],
  [
    'INTENT_KEYS',
    'short@2026-01-31T12:00:00Z',
    /^INTENT_KEYS must be a comma-separated list; each item SECRET@TIME/,
  ],
  ['INTENT_KEYS', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', /INTENT_KEYS/],
  ['INTENT_KEYS', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b@2026-13-31T12:00:00Z', /INTENT_KEYS/],
  [
    'KEY_PEPPER',
    'a'.repeat(64),
    /^KEY_PEPPER must be at least 32 characters long, and nothing that can be guessed/,
  ],
  ['JWT_JWKS_URL', 'https://id.example.org/keys', /JWT_ISSUER is required with JWT_JWKS_URL/],
  ['JWT_JWKS_URL', 'https://id.example.org/keys', /JWT_AUDIENCE is required with JWT_JWKS_URL/],
  ['ADMIN_EMAILS', 'ann', /ADMIN_EMAILS must be a comma-separated list; each item an e-mail address/],
  ['SMTP_URL', 'mail.example.org', /SMTP_URL/],
  ['MAIL_FROM', 'Stakewright', /MAIL_FROM/],
  ['MAIL_FROM', 'A <a@b.org>\r\nBcc: x@y.org', /MAIL_FROM/],
  ['LIMIT_IP_RPM', '0', /LIMIT_IP_RPM/],
  ['LIMIT_GLOBAL_RPM', 'none', /LIMIT_GLOBAL_RPM/],
  ['LIMIT_REGISTER_IP_HOUR', '1.5', /LIMIT_REGISTER_IP_HOUR/],
  ['LIMIT_REGISTER_IP_DAY', 'ten', /LIMIT_REGISTER_IP_DAY/],
  ['LIMIT_REGISTER_DAY', '٣', /LIMIT_REGISTER_DAY/],
  ['LOG_LEVEL', 'INFO', /LOG_LEVEL must be one of debug, info, warn, error, silent/],
  ['CORS_ORIGINS', 'https://*.example.org', /CORS_ORIGINS must be .* without a path or \*/],
  ['CORS_ORIGINS', 'https://example.org/', /CORS_ORIGINS/],
]

for (const [name, value, problem] of WRONG) {
  test(`${name}=${JSON.stringify(value)} is refused: ${problem.source}`, () => {
    assert(problemsOf({ [name]: value }).some((text) => problem.test(text)))
  })
}

test('Postgres needs the secrets that instances share', () => {
  assert.deepEqual(
    problemsOf({ DATABASE_URL: POSTGRES.DATABASE_URL }).map((problem) => problem.split(' ')[0]),
    ['KEY_PEPPER', 'JWT_SECRET'],
  )
})

test('all problems are reported together, each once', () => {
  const problems = problemsOf({ PORT: 'x', NETWORK: 'y', WORKERS: '3', KEY_PEPPER: 'z', LOG_LEVEL: 'loud' })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['PORT', 'NETWORK', 'KEY_PEPPER', 'LOG_LEVEL', 'WORKERS'],
  )
})

test('JWT_SECRET and KEY_PEPPER must differ', () => {
  const same = randomBytes(32).toString('hex')
  assert.match(
    problemsOf({ JWT_SECRET: same, KEY_PEPPER: same }).join(),
    /^JWT_SECRET must be another secret/,
  )
})

test('weak secrets are refused, random ones accepted', () => {
  for (const pattern of [
    'a'.repeat(64),
    'abcdefgh12345678'.repeat(2),
    'changeme!'.repeat(5),
    '01'.repeat(32),
    'a-string-secret-at-least-256-bits-long',
  ]) {
    const problems = problemsOf({ JWT_SECRET: pattern })
    assert.equal(problems.length, 1, pattern)
    assert.match(problems.join(), /JWT_SECRET.*openssl rand -hex 32/)
  }
  for (let count = 0; count < 1_000; count += 1)
    assert(configOf({ JWT_SECRET: randomBytes(16).toString('hex') }))
})

test('problems never contain the value of a secret variable', () => {
  const problems = problemsOf({
    KEY_PEPPER: 'hunter2',
    SUI_RPC_URLS: 'ftp://me:hunter2@node',
    SUI_RPC_HEADERS: '{"node":{"x token":"hunter2"}}',
    DATABASE_URL: 'mysql://me:hunter2@db',
    JWT_SECRET: 'hunter2',
  })
  assert.doesNotMatch(problems.join(), /hunter2/)
})

test('the help names every variable with its default', () => {
  const help = helpText()
  for (const [name, variable] of Object.entries(VARIABLES)) {
    assert(help.includes('default' in variable ? `\n  ${name}=${variable.default}\n` : `\n  ${name}\n`), name)
    assert(help.includes(variable.description), name)
  }
})

test('the printed configuration contains every variable and no secret', () => {
  const printed = describeConfig(
    configOf({
      ...POSTGRES,
      REDIS_URL: 'redis://:hunter2@cache:6379/0',
      NETWORK: 'ika',
      SUI_RPC_URLS:
        'https://node.example.org/hunter2-and-a-long-access-key,https://x:hunter2@other.example.org,https://hunter2@third.example.org',
      SUI_RPC_HEADERS: '{"node.example.org":{"x-token":"hunter2"}}',
      PRICE_URL: 'https://price.example.org/api?x_api_key=hunter2&ids=ika',
      SMTP_URL: 'smtp://u:12,hunter2@mail.example.org',
    }),
  )
  assert.doesNotMatch(printed, /hunter2|12,|a-secret-of-more/)
  assert.match(printed, /^PORT +3000$/m)
  assert.match(printed, /^DATABASE_URL +postgres:\/\/db\/\*\*\* {2}\(given\)$/m)
  assert.match(printed, /^KEY_PEPPER +\*\*\* {2}\(given\)$/m)
  assert.match(printed, /^ADMIN_EMAILS +\(unset\)$/m)
  assert.deepEqual(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]),
    Object.keys(VARIABLES),
  )
})

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { sendRaw } from '../support/raw-request.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const read = async (app: TestApp, path: string) => {
  const response = await fetch(new URL(path, app.url))
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('200: JSON documents of discovery name the URLs of this service as their formats require', async () => {
  await using app = await openTestApp()
  const json = async (path: string) => JSON.parse((await read(app, path)).text)
  const catalog = await json('/.well-known/api-catalog')
  assert.equal(catalog.linkset[0]['service-desc'][0].href, `${app.url}/openapi.json`)
  for (const path of ['/mcp/server-card', '/.well-known/mcp/server-card.json']) {
    const card = await json(path)
    assert.match(card.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    assert.equal(card.remotes[0].url, `${app.url}/mcp`)
    assert.equal(card.version, '0.1.0')
  }
  const { entries } = await json('/.well-known/ai-catalog.json')
  assert.equal(entries[0].type, 'application/mcp-server-card+json')
  assert.equal((await fetch(entries[0].url)).status, 200)
})

test('200: the skill matches its digest and has the front matter that clients read', async () => {
  await using app = await openTestApp()
  const index = JSON.parse((await read(app, '/.well-known/agent-skills/index.json')).text)
  const [skill] = index.skills
  const { text } = await read(app, skill.url)
  assert.equal(skill.digest, `sha256:${hash('sha256', text, 'hex')}`)
  assert.match(text, /^---\nname: stakewright\ndescription: .{1,1024}\n---\n/)
  for (const title of ['Set up', 'Decide', 'Act', 'Verify', 'Do not claim']) {
    assert(text.includes(`## ${title}`), title)
  }
  assert.match(text, /Idempotency-Key[^\n]*202 means that the owner of the agent must approve/)
  for (const [command] of text.matchAll(/stakewright verify [^`]*/g)) assert.match(command, /--wish @/)
})

test('200: llms-full.txt names every endpoint and its fields', async () => {
  await using app = await openTestApp()
  const { text } = await read(app, '/llms-full.txt')
  for (const { method, path } of Object.values(ROUTES)) assert(text.includes(`### ${method} ${path}`), path)
  for (const field of Object.keys(ENDPOINTS.allocate.body.shape)) assert(text.includes(`- \`${field}`), field)
  assert(text.includes('`data[].commissionRate`'))
  assert.match(text, /`buildBatch` stakes all of it in one transaction/)
  assert.doesNotMatch(text, /\{\{/)
})

test('200: the text of an endpoint has the bounds of its input', async () => {
  await using app = await openTestApp()
  for (const [operation, lines] of [
    ['planRebalance', [/^- `maxTargets` integer, 1 to \d+, optional, default \d+: /m]],
    [
      'validators',
      [/^- `search` string, 1 to 100 characters, optional: /m, /^- `limit` integer, 1 to 100, /m],
    ],
    ['allocate', [/^- `maxShare` number, above 0, at most 1, optional/m]],
    ['createKey', [/^- `scopes\[\]` array of .*, 1 to 3 items, /m]],
  ] as const) {
    const { text } = await read(app, `/llms-full.txt?operation=${operation}`)
    for (const line of lines) assert.match(text, line, operation)
  }
})

test('200: the text of an endpoint lists every kind of rule, action and command that it accepts', async () => {
  await using app = await openTestApp()
  for (const [operation, list, kind, count] of [
    ['writePolicy', 'rules', 'rule', 15],
    ['buildBatch', 'items', 'action', 4],
    ['simulatePolicy', 'items', 'action', 4],
    ['sandboxExecute', 'commands', 'kind', 3],
  ] as const) {
    const { text } = await read(app, `/llms-full.txt?operation=${operation}`)
    const start = `  - \`${list}[].${kind}\` "`
    const forms = text.split('\n').filter((line) => line.startsWith(start))
    assert.equal(new Set(forms).size, count, operation)
  }
})

test('200: the answers that contain a key say that `permissions` is no list of scopes', async () => {
  await using app = await openTestApp()
  const text = await (await fetch(`${app.url}/llms-full.txt`)).text()
  const lines = text.split('\n').filter((line) => /^- `data(?:\[\])?\.permissions/.test(line))
  assert(lines.length > 3)
  for (const line of lines) assert.match(line, /nothing about scopes: keys read and build.* never sign/)
  const auth = await (await fetch(`${app.url}/auth.md`)).text()
  assert.match(auth, /A key reads and builds, and never signs; `permissions` .* no list of scopes/)
})

test('200: llms-full.txt can be limited to one endpoint or to the endpoints of a tag', async () => {
  await using app = await openTestApp()
  const endpointsIn = (text: string) => text.match(/^### .+$/gm) ?? []
  const whole = await read(app, '/llms-full.txt')
  for (const query of ['operation=ALLOCATE', 'tag=transactions']) {
    const { status, text, headers } = await read(app, `/llms-full.txt?${query}`)
    assert.equal(status, 200)
    assert.notEqual(headers.get('etag'), whole.headers.get('etag'))
    const shown = endpointsIn(text)
    assert(shown.length > 0 && shown.length < endpointsIn(whole.text).length / 4, `${shown.length} endpoints`)
    assert(shown.every((line) => whole.text.includes(line)))
    assert(text.length < whole.text.length / 3 && text.includes(`${app.url}/auth.md`))
  }
})

test('400: an unknown query parameter or value of a document is refused, with the request to make instead', async () => {
  await using app = await openTestApp()
  for (const path of ['/llms.txt', '/auth.md', '/docs/limits.md', '/.well-known/api-catalog']) {
    const { status, text } = await read(app, `${path}?tag=Transactions`)
    assert.equal(status, 400)
    assert.deepEqual(JSON.parse(text).next, { method: 'GET', path })
  }
  const near = JSON.parse((await read(app, '/llms-full.txt?operation=allocat')).text)
  assert.equal(near.fix, 'Use GET /llms-full.txt?operation=allocate, if that is what you mean.')
})

test('200: commands in the guides have the URL of this service', async () => {
  await using app = await openTestApp()
  const { text } = await read(app, '/docs/agents.md')
  assert(text.includes(`claude mcp add --transport http stakewright ${app.url}/mcp`))
  assert(!text.includes('127.0.0.1:3000'))
})

test('200: every text about keys names all ways to get one, and the configured limits', async () => {
  await using app = await openTestApp({
    env: {
      LIMIT_IP_RPM: '77',
      LIMIT_REGISTER_IP_HOUR: '4',
      LIMIT_REGISTER_IP_DAY: '44',
      LIMIT_REGISTER_DAY: '444',
    },
  })
  for (const path of ['/auth.md', '/llms-full.txt', '/.well-known/agent-skills/stakewright/SKILL.md']) {
    const { text } = await read(app, path)
    for (const name of ['sandboxKey', 'walletChallenge', 'selfRegister', 'exchangeCode'] as const)
      assert(text.includes(`${ROUTES[name].method} ${ROUTES[name].path}`), `${path}: ${name}`)
    assert.match(
      text,
      /send 77 requests a minute, whatever keys it uses, and register 4 agents an hour and 44 a day/,
      path,
    )
    assert.match(text, /register 444 a day/, path)
  }
})

test('200: the name of every endpoint is on one line with its method and path', async () => {
  await using app = await openTestApp()
  for (const path of ['/llms.txt', '/llms-full.txt']) {
    const { text } = await read(app, path)
    for (const [name, route] of Object.entries(ROUTES)) {
      const line = text
        .split('\n')
        .find((one) => one.includes(`${route.method} ${route.path}`) && one.includes(`\`${name}\``))
      assert(line, `${path}: ${name}`)
    }
  }
})

test('200: the index names the required fields of every endpoint', async () => {
  await using app = await openTestApp()
  const { text } = await read(app, '/llms.txt')
  for (const [name, { body, query }] of Object.entries<EndpointSpec>(ENDPOINTS)) {
    const line = text.split('\n').find((one) => one.includes(`(\`${name}\`, `)) ?? ''
    const fields = Object.entries({ ...query?.shape, ...body?.shape })
    for (const [field] of fields.filter(([, one]) => !one.safeParse(undefined).success))
      assert(line.includes(`\`${field}\``), `${name}: ${field}`)
  }
  assert.match(text, /\(`planRebalance`, .* — `positions` or `owner`, `maxTargets`\?, /)
})

test('200: llms-full.txt names the fields of an error', async () => {
  await using app = await openTestApp()
  const { text } = await read(app, '/llms-full.txt')
  for (const field of ['fix', 'retryable', 'next', 'next.path', 'details[].field', 'retryAfterSeconds'])
    assert(text.includes(`- \`${field}\` `) || text.includes(`- \`${field}[]\` `), field)
})

test('200: the answer of / has the discovery documents in its Link header', async () => {
  await using app = await openTestApp()
  for (const accept of ['application/json', 'text/html']) {
    const response = await fetch(app.url, { headers: { accept } })
    const links = response.headers.get('link') ?? ''
    for (const relation of ['api-catalog', 'service-desc', 'service-doc', 'describedby']) {
      assert(links.includes(`rel="${relation}"`), relation)
    }
  }
})

test('200: a long document is compressed for clients that accept gzip or Brotli', async () => {
  await using app = await openTestApp()
  const path = '/llms-full.txt'
  const plain = await sendRaw(app.url, `GET ${path}`)
  for (const encoding of ['gzip', 'br']) {
    const { headers } = await sendRaw(app.url, `GET ${path}`, { headers: ['Accept-Encoding', encoding] })
    assert.equal(headers['content-encoding'], encoding)
    assert(4 * Number(headers['content-length']) < plain.text.length)
    const again = ['Accept-Encoding', encoding, 'If-None-Match', String(headers['etag'])]
    assert.equal((await sendRaw(app.url, `GET ${path}`, { headers: again })).status, 304)
  }
})

test('304: a document whose ETag the client sends is not sent again', async () => {
  await using app = await openTestApp()
  const { headers } = await read(app, '/llms.txt')
  const etag = headers.get('etag') ?? ''
  assert.equal((await fetch(`${app.url}/llms.txt`, { headers: { 'if-none-match': etag } })).status, 304)
})

test('200: security.txt is served if SECURITY_CONTACT is set', async () => {
  await using silent = await openTestApp()
  assert.equal((await read(silent, '/.well-known/security.txt')).status, 404)
  await using app = await openTestApp({ env: { SECURITY_CONTACT: 'mailto:security@example.org' } })
  const { status, text } = await read(app, '/.well-known/security.txt')
  assert.equal(status, 200)
  assert.match(text, /^Contact: mailto:security@example\.org\nExpires: \d{4}-/)
})

test('200: after two years of uptime security.txt still expires within a year from now; its ETag holds for the day', async () => {
  await using app = await openTestApp({ env: { SECURITY_CONTACT: 'mailto:security@example.org' } })
  const path = '/.well-known/security.txt'
  const day = 86_400_000
  await read(app, path)
  app.clock.advance(2 * 365 * day - (app.clock.now() % day))
  const { headers, text } = await read(app, path)
  const left = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - app.clock.now()
  assert(left > 364 * day && left <= 365 * day, text)
  app.clock.advance(day - 1)
  const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  assert.equal((await fetch(new URL(path, app.url), again)).status, 304)
  app.clock.advance(1)
  assert.equal((await fetch(new URL(path, app.url), again)).status, 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAppOn } from '../../support/chain-app.ts'
import { openTestApp } from '../../support/test-app.ts'

const PATH = '/api/v1/staking/validators'

test('200: the whole set, each validator once, with amounts as text and rates as fractions', async () => {
  await using app = await openTestApp()
  const { epoch, hash, data } = await app.client().validators()
  assert.equal(epoch, 91)
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.equal(new Set(data.map(({ id }) => id)).size, data.length)
  assert(data.length >= 60)
  const statuses = new Set(data.map(({ status }) => status))
  assert.deepEqual(statuses, new Set(['active', 'candidate', 'inactive', 'leaving', 'pending']))
  const active = data.filter(({ status }) => status === 'active')
  assert(active.every(({ apy, uptime, score }) => apy !== null && uptime !== null && score !== null))
})

test('200: a validator without history has no APY, which is not an APY of 0', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().validators()
  const candidate = data.find(({ status }) => status === 'candidate')
  assert.equal(candidate?.apy, null)
  assert.equal(candidate?.score, null)
})

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: an uptime has its source, in every list (${network})`, async () => {
    await using app = await openAppOn(network)
    const source = network === 'sandbox' ? 'simulation' : 'epoch_rewards'
    const { data } = await app.agent.validators()
    assert(data.some(({ uptime }) => uptime !== null))
    for (const { id, uptime, uptimeSource } of data) {
      assert.equal(uptimeSource, uptime === null ? null : source, id)
      const { validators } = await app.agent.scoredValidators({ validators: id })
      assert.deepEqual([validators[0]?.uptime, validators[0]?.uptimeSource], [uptime, uptimeSource])
    }
  })
}

test('304: an unchanged list is not sent again, by ETag in any form and by `hash`', async () => {
  await using app = await openTestApp()
  // Compressed, its tag would be weak.
  const first = await fetch(app.url + PATH, { headers: { 'accept-encoding': 'identity' } })
  const { hash } = await app.client().validators()
  const etag = first.headers.get('etag') ?? ''
  assert.equal(etag, `"${hash}"`)
  const versions = [etag, `W/${etag}`, `"other", ${etag}`, '*']
  for (const version of versions) {
    const again = await fetch(app.url + PATH, { headers: { 'if-none-match': version } })
    assert.equal(again.status, 304, version)
    assert.equal(await again.text(), '')
    assert.equal(again.headers.get('etag'), etag)
  }
  assert.equal((await fetch(`${app.url}${PATH}?hash=${hash}`)).status, 304)
  assert.equal((await fetch(`${app.url}${PATH}?hash=${hash.slice(1)}`)).status, 200)
  assert.equal((await fetch(app.url + PATH, { headers: { 'if-none-match': '"other"' } })).status, 200)
})

test('304: the client returns the data from its cache', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const first = await client.validators()
  assert.equal(client.last?.status, 200)
  assert.deepEqual(await client.validators(), first)
  assert.equal(client.last?.status, 304)
})

test('200: the hash stays while time passes, and changes with the epoch', async () => {
  await using app = await openTestApp()
  const { hash } = await app.client().validators()
  app.clock.advance(10_000)
  await app.runJob('watch-network')
  assert.equal((await app.client().validators()).hash, hash)
  app.clock.advance(600_000)
  await app.runJob('watch-network')
  const next = await app.client().validators()
  assert.equal(next.epoch, 92)
  assert.notEqual(next.hash, hash)
})

test('200: the list is public to every origin, and to no credentials', async () => {
  await using app = await openTestApp()
  const { headers } = await fetch(app.url + PATH, { headers: { origin: 'https://example.com' } })
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('access-control-allow-credentials'), null)
  assert.equal(headers.get('cache-control'), 'public, max-age=5')
})

test('200: one validator with what is announced for it', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().validators()
  const [first] = data
  const detail = await app.client().validator({ id: first?.id ?? '' })
  assert.deepEqual({ ...detail, ...first }, detail)
  assert.equal(detail.dataAgeSeconds, 0)
})

test('404: an unknown id, in any spelling', async () => {
  await using app = await openTestApp()
  for (const id of [`0x${'0'.repeat(64)}`, '0x0', '0XAB']) {
    await assert.rejects(app.client().validator({ id }), { code: 'not_found', status: 404 }, id)
  }
})

test('400: a text that is no id', async () => {
  await using app = await openTestApp()
  for (const id of ['x', 'x'.repeat(129), '../../etc/passwd', '%', '💥']) {
    await assert.rejects(app.client().validator({ id }), { code: 'invalid_input', status: 400 }, id)
  }
})

test('405: the list can only be read', async () => {
  await using app = await openTestApp()
  const response = await fetch(app.url + PATH, { method: 'POST' })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
})

test('503: data older than 15 minutes are not served, and `dataAgeSeconds` is their age before that', async () => {
  await using app = await openTestApp()
  app.clock.advance(899_000)
  assert.equal((await app.client().health()).dataAgeSeconds, 899)
  assert.equal((await app.client().health()).status, 'degraded')
  app.clock.advance(2_000)
  await assert.rejects(app.client().validators(), { code: 'rpc_unavailable', status: 503 })
  await assert.rejects(app.client().health(), { code: 'rpc_unavailable', status: 503 })
  assert.equal((await fetch(`${app.url}/readyz`)).status, 503)
  assert.equal((await fetch(`${app.url}/healthz`)).status, 200)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { sampleNetwork, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openChainApp } from '../../support/chain-app.ts'
import { openTestApp } from '../../support/test-app.ts'

const DAY = 86_400_000

test('200 epoch: elapsed and remaining add up to the duration, at every moment', async () => {
  await using app = await openTestApp()
  for (const step of [0, 1, 299_999, 300_000]) {
    app.clock.advance(step)
    const epoch = await app.client().epoch()
    assert.equal(epoch.elapsedMs + epoch.remainingMs, epoch.durationMs)
    assert.equal(epoch.endTimestampMs - epoch.startTimestampMs, epoch.durationMs)
    assert.equal(epoch.progress, epoch.elapsedMs / epoch.durationMs)
    assert.equal(epoch.epochsPerYear, 52_560)
  }
})

test('200 epoch: the progress of an overdue epoch stays at 1', async () => {
  await using app = await openTestApp()
  app.clock.advance(700_000)
  const epoch = await app.client().epoch()
  assert.equal(epoch.progress, 1)
  assert.equal(epoch.remainingMs, 0)
  assert.equal(epoch.dataAgeSeconds, 700)
})

test('200 epoch: the next committee is selected after the middle', async () => {
  await using app = await openTestApp()
  assert.equal((await app.client().epoch()).nextCommitteeSelected, false)
  app.clock.advance(300_000)
  await app.runJob('watch-network')
  assert.equal((await app.client().epoch()).nextCommitteeSelected, true)
})

test('200 price: the sandbox has one, and it does not jump', async () => {
  await using app = await openTestApp()
  const first = await app.client().price()
  assert.equal(first.symbol, 'SBX')
  assert.equal(first.source, 'sandbox')
  app.clock.advance(60_000)
  await app.runJob('watch-price')
  const second = await app.client().price()
  assert(Math.abs(second.priceUsd / first.priceUsd - 1) < 0.05)
})

test('200 price: the last one is served, and marked stale, when its source has no valid answer', async () => {
  await using source = await openPriceSource('{"ika":{"usd":0.031,"usd_24h_change":-1.5}}')
  await using app = await openTestApp({ env: { PRICE_URL: source.url } })
  const fresh = await app.client().price()
  assert.deepEqual([fresh.priceUsd, fresh.change24hPercent, fresh.stale], [0.031, -1.5, false])
  const nextReading = new Date(app.clock.now() + 60_000).toISOString()
  assert.equal(fresh.nextChangeAt, nextReading)
  for (const answer of ['', '{}', '[]', '{"ika":{"usd":-1}}', '{"ika":{"usd":"1"}}', 'x'.repeat(100_000)]) {
    source.answer(answer)
    await assert.rejects(app.runJob('watch-price'), { code: 'rpc_unavailable' }, answer.slice(0, 20))
  }
  app.clock.advance(180_001)
  const stale = await app.client().price()
  assert.deepEqual([stale.priceUsd, stale.stale, stale.dataAgeSeconds], [0.031, true, 180])
  assert.equal(stale.nextChangeAt, nextReading, 'it is overdue')
  source.answer('{"ika":{"usd":0.04}}')
  await app.runJob('watch-price')
  assert.deepEqual((await app.client().price()).priceUsd, 0.04)
})

test('503 price: only if no price was ever read', async () => {
  await using source = await openPriceSource('nothing')
  await using app = await openTestApp({ env: { PRICE_URL: source.url } })
  await assert.rejects(app.client().price(), { code: 'rpc_unavailable', status: 503 })
})

test('503 price: a real token without a price source has no price', async () => {
  await using app = await openTestApp({ env: { NETWORK: 'ika', SUI_RPC_URLS: 'http://127.0.0.1:9' } })
  await assert.rejects(app.client().price(), { code: 'rpc_unavailable', message: /PRICE_URL/ })
})

test('200 history: completed epochs only, ascending, in pages from the newest on', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const all = await client.apyHistory({ period: 'all', limit: 365 })
  const epochs = all.data.map(({ epoch }) => epoch)
  assert.deepEqual(
    epochs,
    epochs.toSorted((a, b) => a - b),
  )
  assert.equal(epochs.at(-1), 90)
  assert.equal(all.total, epochs.length)
  const page = await client.apyHistory({ period: 'all', limit: 5, offset: 10 })
  assert.deepEqual(page.data, all.data.slice(-15, -10))
  assert.equal(page.total, all.total)
})

test('200 history: days and weeks are means of their epochs', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const epochs = await client.apyHistory({ period: 'all', limit: 365 })
  const days = await client.apyHistory({ period: 'all', interval: 'day' })
  const byDay = Map.groupBy(epochs.data, ({ timestamp }) => Math.floor(Date.parse(timestamp) / DAY))
  assert.equal(days.total, byDay.size)
  for (const [at, group] of [...byDay.values()].entries()) {
    const mean = group.reduce((sum, { apy }) => sum + apy, 0) / group.length
    assert(Math.abs((days.data[at]?.apy ?? 0) - mean) < 1e-5)
  }
  // The clock starts on a Monday at noon, and the history reaches back to Sunday.
  assert.equal((await client.apyHistory({ period: 'all', interval: 'week' })).total, 2)
})

test('200 history: the period cuts off what is older', async () => {
  await using app = await openTestApp({ env: { SANDBOX_EPOCH_MS: String(DAY) } })
  const week = await app.client().apyHistory({ period: '7d' })
  assert.equal(week.total, 7)
  assert.equal((await app.client().apyHistory({})).total, 30)
})

test('200 history: a validator has its own history, and one that never earned has none', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const { data } = await client.validators()
  const active = data.find(({ status }) => status === 'active')
  const candidate = data.find(({ status }) => status === 'candidate')
  const history = await client.validatorApyHistory({ id: active?.id ?? '' })
  assert(history.data.length > 0)
  assert(history.data.every(({ apy }) => apy >= 0))
  assert.deepEqual((await client.validatorApyHistory({ id: candidate?.id ?? '' })).data, [])
  await assert.rejects(client.validatorApyHistory({ id: '0x1' }), { code: 'not_found' })
})

test('400 history: each wrong parameter is named, with what it must be', async () => {
  await using app = await openTestApp()
  const wrong = { period: '2d', interval: 'hour', limit: '0', offset: '-1' }
  for (const [field, value] of Object.entries(wrong)) {
    const response = await fetch(`${app.url}/api/v1/staking/apy-history?${field}=${value}`)
    const body = JSON.parse(await response.text())
    assert.equal(response.status, 400)
    assert.equal(body.details[0].field, field)
    assert.match(body.message, /must be/)
  }
  for (const limit of ['1.5', '1e2', '', '%201', '366', '1&limit=2']) {
    assert.equal((await fetch(`${app.url}/api/v1/staking/apy-history?limit=${limit}`)).status, 400, limit)
  }
})

test('400: a query that cannot be decoded, or has unknown parameters', async () => {
  await using app = await openTestApp()
  assert.equal((await fetch(`${app.url}/api/v1/staking/validators?hash=%zz`)).status, 400)
  assert.equal((await fetch(`${app.url}/api/v1/staking/validators`)).status, 200)
  for (const query of ['x=%zz', 'utm_source=x', '__proto__=1'])
    assert.equal((await fetch(`${app.url}/api/v1/staking/epoch?${query}`)).status, 400, query)
})

test('200 metrics: requests are counted by route template, not by URL', async () => {
  await using app = await openTestApp()
  await app
    .client()
    .validator({ id: 'nobody' })
    .catch(() => {})
  const text = await (await fetch(`${app.url}/metrics`)).text()
  assert.match(text, /route="\/api\/v1\/staking\/validators\/\{id\}"/)
  assert.doesNotMatch(text, /nobody/)
})

async function openPriceSource(first: string) {
  let body = first
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}/price`,
    answer(text: string) {
      body = text
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

for (const network of ['walrus', 'sui'] as const)
  test(`200 ${network}: with epochs of one second rates are high numbers, never null`, async () => {
    await using app = await openChainApp(network, [WORLDS[network](sampleNetwork({ durationMs: 1_000 }))])
    const { data } = await app.client().validators()
    const steady = data.find(({ id }) => id === VALIDATORS.steady)
    assert(typeof steady?.apy === 'number' && steady.apy > 1_000, String(steady?.apy))
    const history = await app.client().validatorApyHistory({ id: VALIDATORS.steady, period: 'all' })
    assert(history.data.length > 0 && history.data.every(({ apy }) => typeof apy === 'number'))
    const split = await app.agent.allocate({ amount: '1000000000000', explain: true })
    assert.match(split.rewardsPerYear, /^\d+$/)
    const { chosen = [] } = split.explanation ?? {}
    assert(chosen.length > 0 && chosen.every(({ apyBefore }) => typeof apyBefore === 'number'))
  })

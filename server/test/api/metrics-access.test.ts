import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { test } from 'node:test'
import { openTestApp } from '../support/test-app.ts'

const METRICS = '/metrics'
const statusAt = async (url: string | undefined, headers: Record<string, string> = {}) =>
  (await fetch(`${url}${METRICS}`, { headers })).status

/** Sends this Host, which `fetch` does not let a caller set. */
const statusFor = (url: string, host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`${url}${METRICS}`, { headers: { host }, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

test('403: without a port or token only this machine reads the figures', async () => {
  await using app = await openTestApp()
  assert.equal(await statusAt(app.url), 200)
  // A request through a proxy on this machine may come from elsewhere.
  assert.equal(await statusAt(app.url, { 'x-forwarded-for': '192.0.2.1' }), 403)
  assert.equal(await statusAt(app.url, { 'x-forwarded-for': '127.0.0.1' }), 403)
  assert.equal(await statusAt(app.url, { forwarded: 'for=127.0.0.1' }), 403)
  for (const name of ['via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'])
    assert.equal(await statusAt(app.url, { [name]: 'x' }), 403, name)
  // A page that rebinds its own name to this machine, or a proxy that adds no header.
  assert.equal(await statusFor(app.url, 'evil.example'), 403)
  for (const host of ['localhost', 'localhost:3000', '127.0.0.1', '[::1]:3000'])
    assert.equal(await statusFor(app.url, host), 200, host)
  await using behind = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } })
  assert.equal(await statusAt(behind.url, { 'x-forwarded-for': '192.0.2.1' }), 403)
  assert.equal(await statusAt(behind.url, { 'x-forwarded-for': '127.0.0.1' }), 403)
})

test('401: with METRICS_TOKEN only the token reads the figures', async () => {
  const token = randomBytes(32).toString('hex')
  await using app = await openTestApp({ env: { METRICS_TOKEN: token } })
  const wrong = ['', `Bearer ${token.slice(1)}`, `Bearer ${token}0`, `Basic ${token}`, token]
  for (const authorization of wrong)
    assert.equal(await statusAt(app.url, { authorization }), 401, authorization)
  assert.equal(await statusAt(app.url), 401)
  assert.equal(await statusAt(app.url, { authorization: `Bearer ${token}` }), 200)
  const through = { authorization: `Bearer ${token}`, 'x-forwarded-for': '192.0.2.1' }
  assert.equal(await statusAt(app.url, through), 200)
})

test('404: with METRICS_PORT the figures are not on the port of the API', async () => {
  const token = randomBytes(32).toString('hex')
  await using app = await openTestApp({ env: { METRICS_PORT: '0' } })
  assert.equal(await statusAt(app.url), 404)
  const figures = await fetch(`${app.metricsUrl}${METRICS}`)
  assert.equal(figures.status, 200)
  assert.match(await figures.text(), /stakewright_/)
  assert.equal((await fetch(`${app.metricsUrl}/api/v1/staking/epoch`)).status, 404)
  await using both = await openTestApp({ env: { METRICS_PORT: '0', METRICS_TOKEN: token } })
  assert.equal(await statusAt(both.metricsUrl), 401)
  assert.equal(await statusAt(both.metricsUrl, { authorization: `Bearer ${token}` }), 200)
})

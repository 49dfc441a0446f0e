import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { admitAgent } from '../../../server/test/support/admitted-agent.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import { openTestApp } from '../../../server/test/support/test-app.ts'
import { openChromium } from '../support/chromium.ts'

/** A site of somebody else: an empty page on an origin of its own. */
async function openSite() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>A site</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { origin: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close }
}

type Sent = {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}
type Answer = { readonly status: number; readonly remaining: string | null; readonly etag: string | null }

/** Sends a request by the page's own fetch; `refused` if the page may not read the answer. */
const send = async (page: Page, url: string, sent: Sent): Promise<Answer | 'refused'> =>
  toAnswer(
    await page.evaluate(
      `fetch(${JSON.stringify(url)}, ${JSON.stringify(sent)}).then(
        (answer) => ({ status: answer.status, remaining: answer.headers.get('x-ratelimit-remaining-rpd'), etag: answer.headers.get('etag') }),
        (error) => error instanceof TypeError ? 'refused' : String(error))`,
    ),
  )

/** The cast holds because the script above returns this shape. */
const toAnswer = (value: unknown) => value as Answer | 'refused'

test('in a browser, pages of a configured origin send keyed calls and read the answers; pages of other origins cannot', async () => {
  await using ours = await openSite()
  await using theirs = await openSite()
  await using app = await openTestApp({ env: { CORS_ORIGINS: ours.origin } })
  const { apiKey } = await admitAgent(app)
  const { id } = await registerAgent(app, { email: 'ann@example.com' })
  const token = await signIn(app, 'ann@example.com')
  const browser = await openChromium()
  try {
    const page = await browser.newPage()
    const at = (path: string) => app.url + path
    const key = { 'x-api-key': apiKey }
    const json = { 'content-type': 'application/json' }
    const usage = { headers: key }
    const allocate = { method: 'POST', headers: { ...key, ...json }, body: '{"amount":"1000000000000"}' }
    const policy = {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, ...json },
      body: '{"rules":[]}',
    }
    const calls: readonly (readonly [string, Sent])[] = [
      [at('/api/v1/staking/agent/usage'), usage],
      [at('/api/v1/staking/agent/allocate'), allocate],
      [at(`/api/v1/agents/${id}/policy`), policy],
    ]
    const used = async () => (await app.client({ apiKey }).usage()).used.rpd

    await page.goto(theirs.origin)
    const before = await used()
    for (const [url, sent] of calls) assert.equal(await send(page, url, sent), 'refused', url)
    assert.equal(
      await used(),
      before + 1,
      'only the look itself was charged: the browser has sent none of them',
    )
    const { data } = await app.client({ token }).readPolicy({ id })
    assert.equal(data, null)
    const open = await send(page, at('/api/v1/staking/epoch'), { headers: {} })
    assert(open !== 'refused' && open.status === 200, 'public data are for every page')

    await page.goto(ours.origin)
    for (const [url, sent] of calls) {
      const answer = await send(page, url, sent)
      assert(answer !== 'refused' && answer.status === 200, `${url}: ${JSON.stringify(answer)}`)
    }
    const read = await send(page, at('/api/v1/staking/agent/usage'), usage)
    assert(read !== 'refused' && Number(read.remaining) > 0, 'the limits can be read')
    const wrong = await send(page, at('/api/v1/staking/agent/usage'), {
      headers: { 'x-api-key': 'stk_wrong' },
    })
    assert(wrong !== 'refused' && wrong.status === 401, 'and so can refusals')
  } finally {
    await browser.close()
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@stakewright/contract/routes'
import type { Locator, Page, Request } from 'playwright-core'
import { freePort } from '../../../server/test/support/server-process.ts'
import { tempFolder } from '../../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../../server/test/support/test-app.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const refusing = await sharePage()

/** A service that can be stopped and started again at the same address, and a page on it. */
async function openWithPage() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const env = { PORT: String(await freePort()), LIMIT_IP_RPM: '100000' }
  const start = () => openTestApp({ env, folder: folder.path })
  const first = await start()
  const watched = opened.use(await openWatchedPage(browser, first.url))
  const resources = opened.move()
  const { page } = watched
  return { start, first, watched, page, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Makes the page refresh, as when its tab is shown again, and waits until it notices the outage. */
async function missService(page: Page): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('The service does not answer.').waitFor()
}

test('when the service stops the page says so and keeps its last data, and it recovers by itself', async () => {
  await using opened = await openWithPage()
  const { start, first, watched, page } = opened
  await watched.open('/docs/limits')
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.locator('tbody tr').nth(10).waitFor()
  const rows = await page.locator('tbody tr').count()
  watched.assertClean('before the stop')

  await first.stop()
  await missService(page)
  assert.equal(await page.locator('tbody tr').count(), rows)
  // A guide is a file, and its absence the same outage.
  await page.goBack()
  await page.getByRole('link', { name: 'Glossary' }).click()
  await page.getByRole('alert').getByText('The service does not answer.').waitFor()
  // A page that was never opened before has files to fetch.
  await page.getByRole('link', { name: 'How good the projections are' }).click()
  await page.getByText('This page could not be fetched.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'How good the projections are' }).waitFor()
  assert.equal(await page.title(), 'How good the projections are · Stakewright')

  await using second = await start()
  assert.equal(second.url, first.url)
  await page.getByText('This page could not be fetched.').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'How good the projections are' }).waitFor()
  assert.equal(await page.getByText('The service does not answer.').count(), 0)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor()
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page
    .locator('tbody tr')
    .nth(rows - 1)
    .waitFor()
  assert(
    watched.takeMessages().every((message) => /ERR_CONNECTION_REFUSED|Failed to load resource/.test(message)),
  )
})

test('an answer of the browser’s cache does not end an outage', async () => {
  await using opened = await openWithPage()
  const { first, watched, page } = opened
  await watched.open('/')
  const json = await first.client().epoch()
  await first.stop()
  await missService(page)
  await page.evaluate(`globalThis.ends = 0
    new MutationObserver((changes) => {
      if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.className === 'away'))) ends += 1
    }).observe(document.getElementById('app'), { childList: true, subtree: true })`)
  await page.route(`**${ROUTES.epoch.path}`, (route) => route.fulfill({ json }))
  const answered = page.waitForResponse(`**${ROUTES.epoch.path}`)
  // The following probe of the health fails.
  const probed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(ROUTES.health.path))
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await answered
  await probed
  assert.equal(await page.evaluate('ends'), 0)
  watched.takeMessages()
})

test('during an outage a page requests only the health of the service, with growing delays', async () => {
  await using opened = await openWithPage()
  const { first, watched, page } = opened
  await watched.open('/')
  await first.stop()
  await missService(page)
  // The client first retries earlier requests.
  const isProbe = (request: Request) => new URL(request.url()).pathname === ROUTES.health.path
  await page.waitForRequest(isProbe)
  const asked: { readonly path: string; readonly at: number }[] = []
  page.on('request', (request) => asked.push({ path: new URL(request.url()).pathname, at: Date.now() }))
  const probes = () => asked.filter(({ path }) => path === ROUTES.health.path)
  for (let wanted = 1; wanted <= 4; wanted++) if (probes().length < wanted) await page.waitForRequest(isProbe)
  const [, , third, fourth] = probes()
  assert(third && fourth && fourth.at - third.at >= 4_000, JSON.stringify(asked))
  const others = asked.filter(({ path, at }) => path !== ROUTES.health.path && at > third.at)
  assert.deepEqual(others, [])
  watched.takeMessages()
})

test('beside an error a lab shows its last split marked as old, and it retries when the service is back', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/sandbox/keys', (route) => route.fulfill({ status: 502, body: '<h1>nginx</h1>' }))
  await watched.open('/allocate')
  await page.getByText('The service cannot be reached right now (status 502).').waitFor()
  await page.unroute('**/sandbox/keys')
  const split = page.getByRole('heading', { name: 'The split' })
  await split.waitFor()
  await page.route('**/agent/allocate', (route) => route.abort('connectionrefused'))
  await page.getByLabel('Amount', { exact: true }).fill('777')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByText('This is the last split, for 10,000,000 SBX').waitFor()
  await watched.assertAccessible('an old split')
  await page.unroute('**/agent/allocate')
  await page.getByText('777 SBX over').waitFor()
  assert.equal(await page.getByText('This is the last split').count(), 0)
  await page.route('**/agent/allocate', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByLabel('Amount', { exact: true }).fill('778')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByText('This is the last split, for 777 SBX').waitFor()
  // After an error of the service the lab retries by itself.
  await page.unroute('**/agent/allocate')
  await page.getByText('778 SBX over').waitFor()

  await watched.open('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'The same call' }).waitFor()
  await page.getByLabel('Or write it: one position per line').fill('nobody')
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByRole('button', { name: 'Try an example' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'The same call' }).count(), 0)
  assert(watched.takeMessages().every((message) => /ERR_CONNECTION_REFUSED|status of 50[02]/.test(message)))
})

test('a page whose file failed to load while the service was reachable is loaded again by itself', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/')
  await page.route('**/pages/validators.ts', (route) => route.abort('internetdisconnected'), { times: 1 })
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.locator('tbody tr').nth(10).waitFor()
  assert(watched.takeMessages().every((message) => /ERR_INTERNET_DISCONNECTED/.test(message)))
})

for (const [path, title] of [
  ['/allocate', 'The split'],
  ['/rebalance', 'What you hold'],
  ['/sandbox', 'Your play wallet'],
  ['/', 'What changes next'],
] as const)
  test(`${path} says why it is empty while the service refuses, and retries by a button`, async () => {
    const { page } = refusing
    await page.route('**/api/v1/staking/network', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '90' },
        json: { error: 'rate_limited', message: 'Too many requests.', status: 429, requestId: 'one' },
      }),
    )
    await page.goto(path)
    await page.getByText('Too many requests. Try again in 90 s.').waitFor()
    await refusing.assertAccessible(`${path} without the network`)
    await page.unroute('**/api/v1/staking/network')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Too many requests.').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: title }).waitFor()
    assert(refusing.takeMessages().every((message) => /status of 429/.test(message)))
  })

for (const [path, title] of [
  ['/allocate', 'The split'],
  ['/', 'Highest scores'],
  ['/validators/0x1', 'Validator'],
] as const)
  test(`${path} counts down to its own retry after a refusal, in one notice, and nothing loads for ever`, async () => {
    await using watched = await openWatchedPage(browser, app.url)
    const { page } = watched
    await page.clock.install({ time: app.clock.now() })
    const refused = new Set<string>()
    await page.route('**/api/v1/**', (route) => {
      const url = route.request().url()
      if (refused.has(url)) return route.continue()
      refused.add(url)
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '40' },
        json: { error: 'rate_limited', message: 'Too many requests.', status: 429, requestId: 'one' },
      })
    })
    await page.goto(path)
    const refusals = page.getByText(/This page tries again by itself/)
    await refusals.getByText(/\b40 s\b|\b39 s\b/).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    assert.equal(await refusals.count(), 1)
    assert.equal(await page.getByRole('alert').count(), 1)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.clock.runFor(10_000)
    await refusals.getByText(/\b(30|29) s\b/).waitFor()
    // Each answer causes further requests, which are refused once as well.
    const shown = page.getByRole('heading', { name: title })
    const isDone = async () => (await isSoonThere(shown)) && (await refusals.count()) === 0
    for (let turn = 0; turn < 10 && !(await isDone()); turn++) await page.clock.runFor(41_000)
    await shown.waitFor()
    await refusals.first().waitFor({ state: 'detached' })
    assert(watched.takeMessages().every((message) => /status of 429/.test(message)))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

const isSoonThere = (locator: Locator): Promise<boolean> =>
  locator.waitFor({ timeout: 2_000 }).then(
    () => true,
    () => false,
  )

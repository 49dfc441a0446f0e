import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runsAll } from '../../../test/runs-all.ts'
import { PAGES } from '../../src/pages.ts'
import { assertStill, PAINTED, WATCH_SHIFTS } from '../support/layout-shifts.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

/** The limits of a first visit with an empty cache. */
const MAX_BYTES = 150_000
const MAX_REQUESTS = 16
/** Not counted: the reference is data that grows with the API. */
const REFERENCE = '/openapi.json'

const { app, browser } = await openServiceAndBrowser()

/** Disables refresh timers: on a busy machine a visit may last until the first refresh, which does not count. */
const ONCE = `{
  const start = self.setTimeout
  self.setTimeout = (work, delay, ...rest) => (delay >= 5_000 ? 0 : start(work, delay, ...rest))
}`

for (const { path } of PAGES.filter((page) => !page.path.startsWith('/console/'))) {
  test(`${path}: a first visit is small, sends no request twice, logs nothing, and has no layout shift`, async () => {
    const { data } = await app.client().validators()
    const place = path
      .replace('{id}', data[0]?.id ?? '')
      .replace('{page}', 'allocation')
      .replace('{agent}/{approval}', 'agt_any/apr_any')
    await using watched = await openWatchedPage(browser, app.url)
    const { page, context } = watched
    await page.addInitScript(ONCE)
    await page.addInitScript(WATCH_SHIFTS)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    let bytes = 0
    const asked: string[] = []
    const urls = new Map<string, string>()
    devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
      asked.push(`${request.method} ${request.url}`)
      urls.set(requestId, request.url)
    })
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!urls.get(requestId)?.endsWith(REFERENCE)) bytes += encodedDataLength
    })
    // The answers arrive one by one, each after a paint, as over a slow connection.
    let line = Promise.resolve<unknown>(undefined)
    const painted = () => page.evaluate(PAINTED)
    await page.route(/\/api\/|openapi|docs\/index/, (route) => {
      line = line
        .then(painted)
        .then(() => route.continue())
        .then(painted)
    })
    await page.goto(place)
    await watched.settle()
    await page.waitForLoadState('networkidle')
    await line
    assert(bytes <= MAX_BYTES, `${bytes} bytes`)
    assert(asked.length <= MAX_REQUESTS, `${asked.length} requests`)
    assert.deepEqual([...new Set(asked)], asked)
    await assertStill(page, path)
    watched.assertClean(path)
  })
}

for (const width of [360, 1280]) {
  test(`before the scripts have loaded there is a page, ${width} px: neither it nor the focus moves afterwards`, async () => {
    await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width })
    const { page } = watched
    await page.addInitScript(WATCH_SHIFTS)
    const loaded = Promise.withResolvers<void>()
    await page.route('**/app/main.ts', (route) => loaded.promise.then(() => route.continue()))
    await page.goto('/validators', { waitUntil: 'commit' })
    const first = page.getByRole('link', { name: width > 1020 ? 'Rebalance' : 'Stakewright, overview' })
    await first.focus()
    await page.getByText('Loading …').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
    await watched.assertAccessible('before the scripts')
    await page.evaluate(PAINTED)
    loaded.resolve()
    await watched.settle()
    await page.evaluate(PAINTED)
    assert.equal(await first.evaluate((link) => link === document.activeElement), true)
    assert.equal(await page.getByText('Loading …').count(), 0)
    await assertStill(page, 'the page that takes over')
    watched.assertClean('before the scripts')
  })
}

test('without JavaScript a page says what to do, and not that it loads', async () => {
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false })
  try {
    const page = await context.newPage()
    await page.goto('/allocate')
    await page.locator('noscript p', { hasText: 'This page needs JavaScript.' }).waitFor()
    assert.equal(await page.getByText('Loading …').isVisible(), false)
    await page.locator('noscript a[href="/openapi.json"]').click()
    await page.waitForURL('/openapi.json')
  } finally {
    await context.close()
  }
})

/** States whose pages differ most in captions and neighbours, and so in height. */
const KINDS = ['active', 'leaving', 'candidate'] as const

for (const width of runsAll() ? [390, 1024, 1600] : [390]) {
  test(`a validator’s page, ${width} px: no layout shift, whichever answer comes last and whatever the validator’s state`, async () => {
    const { data } = await app.client().validators()
    await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width })
    const { page } = watched
    await page.addInitScript(WATCH_SHIFTS)
    for (const status of KINDS) {
      const validator = data.find((one) => one.status === status)
      if (!validator) continue
      for (const late of ['network', 'scoring']) {
        const others = Promise.withResolvers<void>()
        await page.route(new RegExp(`/staking/${late}$`), (route) =>
          others.promise.then(() => route.continue()),
        )
        await page.goto(`/validators/${validator.id}`)
        await page.locator('.skeleton').first().waitFor()
        await page.waitForLoadState('domcontentloaded')
        await page.evaluate(PAINTED)
        others.resolve()
        await watched.settle()
        await page.evaluate(PAINTED)
        await assertStill(page, `${status}, ${late} last`)
        await page.unrouteAll({ behavior: 'wait' })
      }
    }
  })
}

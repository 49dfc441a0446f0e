import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGES } from '../../src/pages.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

/** What a first visit may cost, from an empty cache. */
const MOST_BYTES = 150_000
const MOST_REQUESTS = 16
/** The reference is as large as the API: it is data, and grows with it. */
const REFERENCE = '/openapi.json'
/** Up to here nobody notices; browsers call 0.1 good. */
const MOST_SHIFT = 0.02

const { app, browser } = await openServiceAndBrowser()

/** On a busy machine a visit may last until a page asks again, which is not part of it. */
const ONCE = `{
  const start = self.setTimeout
  self.setTimeout = (work, delay, ...rest) => (delay >= 5_000 ? 0 : start(work, delay, ...rest))
}`

const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

const SHIFTS = `self.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    self.shifts.push([value, sources.map(({ node, previousRect, currentRect }) => (node?.className ?? node?.nodeName) + ' ' + node?.textContent?.slice(0, 30) + ' from ' + [previousRect.x, previousRect.y, previousRect.width, previousRect.height].map(Math.round) + ' to ' + [currentRect.x, currentRect.y, currentRect.width, currentRect.height].map(Math.round)).join('; ')])
}).observe({ type: 'layout-shift', buffered: true })`

for (const { path } of PAGES.filter((page) => !page.path.startsWith('/console/'))) {
  test(`${path}: a first visit is small, asks for nothing twice, and nothing moves while it loads`, async () => {
    const { data } = await app.client().validators()
    const place = path
      .replace('{id}', data[0]?.id ?? '')
      .replace('{page}', 'allocation')
      .replace('{agent}/{approval}', 'agt_any/apr_any')
    await using watched = await openWatchedPage(browser, app.url)
    const { page, context } = watched
    await page.addInitScript(ONCE)
    await page.addInitScript(SHIFTS)
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
    // The data come one after the other, each after a paint, as they do over a slow line.
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
    assert(bytes <= MOST_BYTES, `${bytes} bytes`)
    assert(asked.length <= MOST_REQUESTS, `${asked.length} requests`)
    assert.deepEqual([...new Set(asked)], asked)
    const shifts = toShifts(await page.evaluate('self.shifts'))
    const sum = shifts.reduce((total, [value]) => total + value, 0)
    assert(sum <= MOST_SHIFT, `moved by ${sum}:\n${shifts.map((one) => one.join(' ')).join('\n')}`)
  })
}

/** Whose pages say most and least: captions and neighbours differ, and with them heights. */
const KINDS = ['active', 'leaving', 'candidate'] as const

for (const width of [390, 1024, 1600]) {
  test(`a validator’s page, ${width} px: nothing moves, whatever comes last and whoever it is`, async () => {
    const { data } = await app.client().validators()
    for (const status of KINDS) {
      const validator = data.find((one) => one.status === status)
      if (!validator) continue
      for (const late of ['network', 'scoring']) {
        await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width })
        const { page } = watched
        await page.addInitScript(SHIFTS)
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
        const shifts = toShifts(await page.evaluate('self.shifts'))
        const sum = shifts.reduce((total, [value]) => total + value, 0)
        assert(sum <= MOST_SHIFT, `${status}, ${late} last: ${shifts.map((one) => one.join(' ')).join('\n')}`)
      }
    }
  })
}

/** The observer above notes each shift with what moved. */
const toShifts = (value: unknown) => value as readonly (readonly [number, string])[]

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { waitUntil } from '../support/wait-until.ts'
import { A_WHILE_MS, openWatchedPage, type WatchedPage } from '../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

async function openFrozen(watched: WatchedPage, path: string): Promise<void> {
  await watched.page.clock.install()
  await watched.open(path)
  await watched.page.evaluate(`
    self.sameDocument = true
    self.moved = []
    new PerformanceObserver((list) => self.moved.push(...list.getEntries().map(({ value, sources }) => value + ' ' + sources.map(({ node, previousRect: a, currentRect: b }) => (node?.className ?? node?.nodeName) + ' ' + node?.textContent?.slice(0, 30) + [a.x, a.y, a.width, a.height, b.x, b.y, b.width, b.height].map(Math.round)).join('; ')))).observe({ type: 'layout-shift' })
    self.changes = []
    new MutationObserver((list) => self.changes.push(...list.map(({ type, target }) => type + ' ' + target.textContent.slice(0, 40))))
      .observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, characterData: true })`)
}

/** Lets the page's timers fire, and waits for the answers. */
async function passTime(page: Page, wanted: string): Promise<readonly number[]> {
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) statuses.push(response.status())
  })
  const answered = page.waitForResponse((response) => response.url().endsWith(wanted))
  await page.clock.fastForward(A_WHILE_MS)
  await (await answered).finished()
  return statuses
}

test('a refresh costs a 304 each and changes nothing if nothing has changed; a tab that was hidden for long is refreshed', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await openFrozen(watched, '/validators')
  const statuses = await passTime(page, '/staking/validators')
  assert(statuses.includes(304))
  assert.deepEqual(await page.evaluate('self.changes'), [])

  // Hiding the tab for a moment causes no request; showing it again later refreshes the page.
  const look = (state: 'hidden' | 'visible') =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
  await watched.quiet()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  for (let times = 0; times < 20; times += 1) {
    await look('hidden')
    await look('visible')
  }
  assert.deepEqual(asked, [])
  await look('hidden')
  await page.clock.fastForward(9_000)
  const answered = page.waitForResponse((response) => response.url().endsWith('/staking/validators'))
  await look('visible')
  await answered
  watched.assertClean('asking again')
})

test('a new epoch appears without a reload; focus, typed text and scroll position stay, and nothing moves', async () => {
  const apiKey = (await app.client().sandboxKey({ agentName: 'time' })).data.apiKey
  const { epoch } = await app.client().epoch()
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 1280 })
  const { page } = watched
  await openFrozen(watched, '/validators?sort=name&show=all')
  await page.getByText(`epoch ${epoch}`).waitFor()
  const search = page.getByLabel('Search by name or id')
  await search.fill('e')
  await search.evaluate('(field) => field.setSelectionRange(1, 1)')
  await page.evaluate('scrollTo(0, 300)')
  // Layout shifts by the typing itself do not count.
  await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`)
  await page.evaluate('self.moved = []')
  const before = await page.locator('tbody').textContent()

  await app.client({ apiKey }).sandboxAdvance({ epochs: 1 })
  await passTime(page, '/staking/validators')
  await page.getByText(`epoch ${epoch + 1}`).waitFor()
  await waitUntil(page, `document.querySelector('tbody').textContent !== ${JSON.stringify(before)}`)
  assert.deepEqual(
    await page.evaluate(
      `[self.sameDocument, scrollY, document.activeElement.type, document.activeElement.value]`,
    ),
    [true, 300, 'search', 'e'],
  )
  assert.deepEqual(await page.evaluate('self.moved'), [])
  watched.assertClean('a new epoch')
})

test('overview and the page of a validator follow a new epoch without a reload', async () => {
  const apiKey = (await app.client().sandboxKey({ agentName: 'time' })).data.apiKey
  const { data } = await app.client().validators()
  const id = data.find(({ status }) => status === 'active')?.id
  await using overview = await openWatchedPage(browser, app.url)
  await openFrozen(overview, '/')
  await using validator = await openWatchedPage(browser, app.url)
  await openFrozen(validator, `/validators/${id}`)
  const history = validator.page.getByRole('figure').filter({ hasText: 'Net APY' }).first()
  await history.getByRole('button', { name: 'Show as table' }).click()
  const { epoch } = await app.client().epoch()
  const shows = async (now: number) => {
    await overview.page.locator('.epoch .figure-number', { hasText: `${now}` }).waitFor()
    // A history ends with the epoch that was completed last.
    await history.locator('tbody tr:first-child', { hasText: `${now - 1}` }).waitFor()
  }
  await shows(epoch)

  await app.client({ apiKey }).sandboxAdvance({ epochs: 1 })
  await passTime(overview.page, '/staking/epoch')
  await passTime(validator.page, '/staking/validators')
  await shows(epoch + 1)
  for (const { page, assertClean } of [overview, validator]) {
    assert.equal(await page.evaluate('self.sameDocument'), true)
    assertClean(page.url())
  }
})

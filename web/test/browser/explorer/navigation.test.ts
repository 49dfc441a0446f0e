import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../../server/src/durations.ts'
import { signIn } from '../../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'
import { openWorkingAgent } from '../../support/working-agent.ts'

const { app, browser } = await openServiceAndBrowser()

test('the title is that of the shown page, also after a cancelled navigation, and a link to it adds no history entry', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await watched.open('/validators')
  await page.route(/rebalance/, async (route) => {
    await released
    await route.continue()
  })
  const loaded = page.waitForEvent('requestfinished', (request) => request.url().includes('rebalance'))
  await page.getByRole('link', { name: 'Rebalance', exact: true }).click()
  await page.goBack()
  release()
  await loaded
  await page.evaluate('new Promise((done) => setTimeout(done))')
  assert.equal(await page.title(), 'Validators · Stakewright')

  await page.evaluate(`history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  assert.equal(await page.title(), 'Not found · Stakewright')

  await watched.visit('/')
  // A link to the present page adds no history entry.
  const link = page.getByRole('link', { name: 'Validators', exact: true })
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
  await link.click()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Sandbox network' }).waitFor()
  watched.assertClean('titles and history')
})

test('a page that throws says so, and the other pages still work', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  // As another version of the pages might have stored it.
  await page.addInitScript(`sessionStorage.setItem('stakewright.wallet', '{}')`)
  await watched.open('/')
  await page.getByRole('link', { name: 'Sandbox', exact: true }).click()
  await page.getByRole('alert').getByText('This page cannot be shown.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Sandbox', exact: true }).waitFor()
  assert(watched.takeMessages().length > 0, 'the fault is reported')
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
  watched.assertClean('the next page')
})

/** The controls of the top bar that something else lies upon, and those that it cuts off. */
const COVERED = `[...document.querySelectorAll('.topbar :is(a, button)')].filter((control) => {
  if (!control.checkVisibility()) return false
  const { left, right, top, bottom } = control.getBoundingClientRect()
  const hit = (x) => control.contains(document.elementFromPoint(x, (top + bottom) / 2))
  return !hit(left + 2) || !hit(right - 2) || right > innerWidth
}).map((control) => control.textContent + control.ariaLabel)`

test('no status of the network covers a control of the top bar, whatever the width', async () => {
  const email = 'ann@example.com'
  await openWorkingAgent(app, email)
  const user = { name: email, token: await signIn(app, email), expiresAt: Date.now() + 100 * DAY_MS }
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open('/')
  const status = page.locator('.netstate')
  const assertClear = async (what: string) => {
    for (const width of [360, 601, 1_020, 1_021, 1_040, 1_060, 1_090, 1_120, 1_200, 1_320]) {
      await watched.resize(width)
      assert.deepEqual(await page.evaluate(COVERED), [], `${what}, ${width} px`)
    }
  }
  await status.getByText('live').waitFor()
  await page.locator('.nav a', { hasText: '1' }).waitFor()
  await assertClear('with a waiting approval')
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await status.getByText('no connection').waitFor()
  await assertClear('without the service')
  await page.unroute('**/api/v1/**')
  const refusal = { error: 'rate_limited', message: 'Too many requests.', status: 429, requestId: 'one' }
  await page.route('**/api/v1/**', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '50' }, json: refusal }),
  )
  await status.getByText('waits for its limit of requests').waitFor()
  await assertClear('over the limit of requests')
  watched.takeMessages()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('the title is that of the shown page, also after a cancelled navigation', async () => {
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
  watched.assertClean('titles')
})

test('a link to the present page adds no history entry', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/')
  const link = page.getByRole('link', { name: 'Validators', exact: true })
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
  await link.click()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Sandbox network' }).waitFor()
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

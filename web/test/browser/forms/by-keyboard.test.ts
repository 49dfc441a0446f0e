import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { mailedCode } from '../../../../server/test/support/registered-agent.ts'
import { appCode } from '../../../../server/test/support/services/authenticator.ts'
import { press, tabTo, typeInto } from '../../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const ROOT = 'root@example.com'

const { app, browser } = await openServiceAndBrowser(ADMIN)

/** Signs in with the mailed code; the focus moves to each field as it appears. */
async function signInByKeys(page: Page, factor?: string): Promise<void> {
  await typeInto(page, /^E-mail address$/, ROOT)
  await page.keyboard.press('Enter')
  await page.locator('input:focus').and(page.getByLabel('Code from the mail')).waitFor()
  await page.keyboard.type(await mailedCode(app, ROOT))
  await page.keyboard.press('Enter')
  if (factor === undefined) return
  await page.locator('input:focus').and(page.getByLabel('Code from your authenticator app')).waitFor()
  await page.keyboard.type(factor)
  await page.keyboard.press('Enter')
}

/** Copies the codes that have just appeared, and says that they are stored. */
async function storeCodes(page: Page): Promise<readonly string[]> {
  await page.locator('[aria-labelledby="recovery"]:focus').waitFor()
  await press(page, /^Copy all recovery codes/)
  await page.getByRole('button', { name: 'Copy all recovery codes' }).getByText('Copied').waitFor()
  await press(page, /^I have stored them$/)
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  return copied.trim().split('\n')
}

test('a second factor is set up, used, renewed and removed by keyboard alone', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console/second-factor')
  await signInByKeys(page)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  await page.locator('h1:focus', { hasText: 'Second factor' }).waitFor()
  await press(page, /^Set up an authenticator app$/)
  await page.locator('[aria-labelledby="scan"]:focus').waitFor()
  await press(page, /^Copy the secret/)
  await page.getByRole('button', { name: 'Copy the secret' }).getByText('Copied').waitFor()
  const secret = String(await page.evaluate('navigator.clipboard.readText()'))
  await typeInto(page, /^Code from your app/, appCode(secret, app.clock.now()))
  await page.keyboard.press('Enter')
  await storeCodes(page)

  await page.locator('h1:focus').waitFor()
  app.clock.advance(30_000)
  await signInByKeys(page, appCode(secret, app.clock.now()))
  await page.getByRole('button', { name: 'Make new recovery codes' }).waitFor()
  await page.locator('h1:focus').waitFor()
  await press(page, /^Make new recovery codes$/)
  app.clock.advance(30_000)
  await typeInto(page, /^Code from your app/, appCode(secret, app.clock.now()))
  await press(page, /^Replace them$/)
  const [recovery = ''] = await storeCodes(page)

  await press(page, /^Remove the app$/)
  await typeInto(page, /^Code from your app, or a recovery code/, recovery)
  await press(page, /^Remove it now$/)
  await page.getByRole('heading', { name: 'Not set up' }).waitFor()
  await tabTo(page, /^Set up an authenticator app$/, 3)
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => /status of 40[13]/.test(message)))
})

test('an endpoint is found in the reference, read, tried and left by keyboard alone', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/docs')
  await typeInto(page, /^Search the docs$/, 'agent/allocate')
  await press(page, /^The optimal split of an amount$/)
  // The path may break after each slash, so its text is in several pieces.
  await page.locator('.endpoint-line code', { hasText: /^\/api\/v1\/staking\/agent\/allocate$/ }).waitFor()
  // The focus is on the title, so the list of all endpoints need not be passed again.
  await page.locator('h1:focus').waitFor()
  await tabTo(page, /^curl$/, 3)
  await page.keyboard.press('ArrowRight')
  await tabTo(page, /^the TypeScript code/, 1)
  await tabTo(page, /^Copy the TypeScript code/, 1)
  await tabTo(page, /^the example answer/, 1)
  await typeInto(page, /^Input$/, '{ "amount": "7000000000" }')
  await press(page, /^Send$/)
  await page.getByText(/^Answered in/).waitFor()
  await tabTo(page, /^the answer/, 1)
  assert.equal(await page.title(), 'The optimal split of an amount · Stakewright')
  await press(page, /^API reference$/)
  await page.locator('h1:focus', { hasText: 'API reference' }).waitFor()
  assert.equal(await page.evaluate('scrollY'), 0)
  watched.assertClean('the reference by keyboard')
})

test('the weights of a score are changed and reset by keyboard alone', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/score')
  await tabTo(page, /^Commission/)
  await page.keyboard.press('End')
  await page.waitForURL(/weights=0-0-100$/)
  await page.keyboard.press('ArrowLeft')
  await page.waitForURL(/weights=1-1-99$|weights=1-0-99$/)
  await press(page, /^Back to the published weights$/)
  await page.waitForURL(({ search }) => search === '')
  const [name = ''] = await page.locator('tbody .name-cell a').allTextContents()
  // The button is gone, and the focus stays in its part of the page.
  await tabTo(page, /^Ranking with these weights, table$/, 4)
  await tabTo(page, new RegExp(`^${RegExp.escape(name)}`), 1)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
  watched.assertClean('own weights by keyboard')
})

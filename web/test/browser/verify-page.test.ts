import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailedToken } from '../../../server/test/support/registered-agent.ts'
import { press as pressKey } from '../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('the mailed link activates the key by one button, and then links to further pages', async () => {
  const email = 'ann@example.com'
  const { data } = await app.client().selfRegister({ email, agentName: 'scout' })
  const link = `/verify?token=${await mailedToken(app, email)}`
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const press = () => page.getByRole('button', { name: 'Activate my key' })
  await page.goto(link)
  assert.equal(await page.getByRole('link').count(), 0, 'nothing leads on before the key works')
  await watched.assertFitsEveryLook('/verify')
  await pressKey(page, /^Activate my key$/)
  await page.getByRole('heading', { name: 'Your key is active' }).waitFor()
  assert.equal(await press().count(), 0)
  assert.equal((await app.client({ apiKey: data.apiKey }).metadata()).decimals, 9)
  const hrefs = await page
    .getByRole('link')
    .evaluateAll((links) => links.map((one) => one.getAttribute('href') ?? ''))
  assert.equal(hrefs.length, 3)
  for (const href of hrefs)
    assert.equal((await fetch(new URL(href, app.url), { headers: { accept: 'text/html' } })).status, 200)
  await watched.assertFitsEveryLook('/verify, done')

  // Opening the link again gives the same answer.
  await page.goto(link)
  await press().click()
  await page.getByRole('heading', { name: 'Your key is active' }).waitFor()
})

test('an incomplete link says what to do, and links to the sign-in', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.goto('/verify')
  await page.getByRole('heading', { name: 'This link is not complete' }).waitFor()
  await page.getByRole('link', { name: 'Sign in to the console' }).click()
  await page.getByRole('heading', { name: 'Sign in by mail' }).waitFor()
  await page.getByText('A sign-in holds in every tab of this browser').waitFor()
})

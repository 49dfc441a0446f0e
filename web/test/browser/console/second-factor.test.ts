import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { mailedCode } from '../../../../server/test/support/registered-agent.ts'
import { appCode } from '../../../../server/test/support/services/authenticator.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage, type WatchedPage } from '../../support/watched-page.ts'

const EMAIL = 'root@example.com'
const { app, browser } = await openServiceAndBrowser({ ...ADMIN, ADMIN_TOTP: 'required' })

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** A code that was not used yet: each works once. */
function nextCode(secret: string): string {
  app.clock.advance(30_000)
  return appCode(secret, app.clock.now())
}

async function signInWithFactor({ page, settle }: WatchedPage, factor: () => string): Promise<void> {
  await page.getByLabel('E-mail address').fill(EMAIL)
  await button(page, 'Send me a code').click()
  await page.getByLabel('Code from the mail').waitFor()
  await page.getByLabel('Code from the mail').fill(await mailedCode(app, EMAIL))
  await button(page, 'Sign in').click()
  await page.getByLabel('Code from your authenticator app').fill(factor())
  await button(page, 'Sign in').click()
  await page.getByLabel('Code from the mail').waitFor({ state: 'detached' })
  await settle()
}

async function codesOn(page: Page): Promise<readonly string[]> {
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  return page.locator('.recovery-codes code').allTextContents()
}

test('an admin who needs a second factor sets it up, uses it, renews its codes and removes it', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await signInBy(watched, app, EMAIL)
  await page.getByText('This service wants an authenticator app of every admin.').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Where you are signed in' }).count(), 0)
  await page.getByRole('link', { name: 'Set it up' }).click()
  await button(page, 'Set up an authenticator app').click()
  await page.getByRole('img', { name: 'QR code of the secret for your authenticator app' }).waitFor()
  const secret = ((await page.locator('.key-text').textContent()) ?? '').replaceAll(' ', '')
  const uri = (await page.getByRole('link', { name: 'Open it in the app' }).getAttribute('href')) ?? ''
  assert.equal(new URL(uri).searchParams.get('secret'), secret)
  await watched.assertAccessible('setting up a second factor')
  watched.assertClean('setting up a second factor')

  await page.getByLabel('Code from your app').fill('000000')
  await button(page, 'Confirm and sign out everywhere').click()
  await page.getByText('This code does not match the new secret at this time.').waitFor()
  // Apps show codes in two groups.
  const code = appCode(secret, app.clock.now())
  await page.getByLabel('Code from your app').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await button(page, 'Confirm and sign out everywhere').click()
  const first = await codesOn(page)
  assert.equal(first.length, 10)
  const saved = page.waitForEvent('download')
  await button(page, 'Download as a file').click()
  assert.equal(await readFile(await (await saved).path(), 'utf8'), `${first.join('\n')}\n`)
  await button(page, 'Copy all recovery codes').click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${first.join('\n')}\n`)
  // They are kept while another page is visited.
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.goBack()
  assert.deepEqual(await codesOn(page), first)
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => /status of 40[13]/.test(message)))
  await button(page, 'I have stored them').click()
  await page.getByText('Your authenticator app is set up. Sign in again, with a code of it.').waitFor()

  await signInWithFactor(watched, () => nextCode(secret))
  watched.takeMessages()
  await page.getByText('10 of 10 recovery codes are left.').waitFor()
  await button(page, 'Make new recovery codes').click()
  await page.getByLabel('Code from your app').fill(nextCode(secret))
  await page.keyboard.press('Enter')
  const second = await codesOn(page)
  assert.equal(new Set([...first, ...second]).size, 20)
  await watched.assertAccessible('recovery codes')
  watched.assertClean('new recovery codes')

  await page.getByRole('link', { name: 'Console', exact: true }).first().click()
  await button(page, 'Sign out').click()
  await page.getByRole('heading', { name: 'Sign in by mail' }).waitFor()
  // The next user of the tab must not see them.
  await page.goBack()
  await title(page, 'Second factor').waitFor()
  await page.getByRole('heading', { name: 'Sign in by mail' }).waitFor()
  assert.equal(await page.locator('.recovery-codes').count(), 0)
  // Both pages have the sign-in form: text typed before the other page is shown is lost.
  await page.goForward()
  await title(page, 'Console').waitFor()
  await signInWithFactor(watched, () => second[0] ?? '')
  watched.takeMessages()
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
  await page.getByRole('link', { name: /second factor/i }).click()
  await page.getByText('9 of 10 recovery codes are left.').waitFor()
  await button(page, 'Remove the app').click()
  await page.getByText('until you set one up again, you can do nothing else').waitFor()
  await page.getByLabel('Code from your app, or a recovery code').fill(second[1] ?? '')
  await button(page, 'Remove it now').click()
  await page.getByRole('heading', { name: 'Not set up' }).waitFor()
  watched.assertClean('removing the app')
})

test('the page of the second factor fits every look, also while the app is set up', async () => {
  // The number of sign-in mails per address and hour is limited.
  app.clock.advance(3_600_000)
  await app.runJob('watch-network')
  await using watched = await openWatchedPage(browser, app.url)
  await watched.open('/console/second-factor')
  await signInBy(watched, app, EMAIL)
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('403')))
  await button(watched.page, 'Set up an authenticator app').click()
  await watched.page.getByRole('heading', { name: '2. Confirm it' }).waitFor()
  await watched.assertFitsEveryLook('setting up a second factor')
})

test('a user who is no admin is told that there is nothing to set up', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  await watched.open('/console/second-factor')
  await signInBy(watched, app, 'ann@example.com')
  await watched.page.getByText('Only admins of this service have a second factor here.').waitFor()
  watched.assertClean('the second factor of somebody who is no admin')
})

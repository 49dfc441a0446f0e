import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { HOUR_MS } from '../../../../server/src/durations.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { openWatchedPage, type WatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

/** Signs in and registers an agent; returns the key that the page shows. */
async function openRegistered(watched: WatchedPage, email: string): Promise<string> {
  const { page } = watched
  await watched.open('/console')
  await signInBy(watched, app, email)
  await page.getByRole('button', { name: 'Register the first one' }).click()
  await page.getByLabel('Name').fill('keeper')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  return shownKey(page)
}

const shownKey = async (page: Page): Promise<string> =>
  (await page.locator('.key-text').textContent()) ?? 'none'

const isNotStored = (page: Page) => page.getByText('Your new key is not stored yet.')

/** Reloads the page and returns whether the browser asked first; the answer is to stay. */
async function reloadAndStay(page: Page): Promise<boolean> {
  const asked = new Promise<boolean>((answer) => {
    page.once('dialog', async (dialog) => {
      await dialog.dismiss()
      answer(dialog.type() === 'beforeunload')
    })
  })
  // Without a dialog the page is loaded.
  const loaded = page.waitForEvent('load').then(() => false)
  page.evaluate('location.reload()').catch(() => undefined)
  return Promise.race([asked, loaded])
}

test('a new key survives the back button and other pages, and the browser asks before it is lost', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const key = await openRegistered(watched, 'ann@example.com')
  assert.equal((await app.client({ apiKey: key }).usage()).tier, 'builder')
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await isNotStored(page).waitFor()
  await watched.assertAccessible('a key that is not stored')
  await page.goBack()
  assert.equal(await shownKey(page), key)
  assert.equal(await isNotStored(page).count(), 0)
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.getByRole('link', { name: 'Show it again' }).click()
  assert.equal(await shownKey(page), key)
  assert.equal(await reloadAndStay(page), true)
  assert.equal(await shownKey(page), key)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.locator('.key-text').waitFor({ state: 'detached' })
  assert.equal(await reloadAndStay(page), false)
  watched.assertClean('a new key')
})

test('a rotated key and a named one are kept on the page of their agent; signing out forgets them', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await openRegistered(watched, 'bob@example.com')
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('link', { name: 'keeper' }).click()
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  await page.getByRole('button', { name: 'Rotate now' }).click()
  await page.locator('.key-text').waitFor()
  await page.getByRole('button', { name: 'Add a named key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('ci')
  await page.getByRole('button', { name: 'Make the key' }).click()
  await page.locator('.key-text').nth(1).waitFor()
  const keys = await page.locator('.key-text').allTextContents()
  assert.equal(new Set(keys).size, 2)
  await page.goBack()
  await isNotStored(page).waitFor()
  await page.goForward()
  await page.locator('.key-text').nth(1).waitFor()
  assert.deepEqual(await page.locator('.key-text').allTextContents(), keys)
  await page.getByRole('button', { name: 'I have stored it' }).first().click()
  await page.goBack()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(await isNotStored(page).count(), 0)
  assert.equal(await reloadAndStay(page), false)
  watched.assertClean('two new keys')
})

test('ending the own session in the list of sessions forgets new keys and policy drafts', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await openRegistered(watched, 'cat@example.com')
  await page.getByRole('link', { name: 'keeper' }).click()
  await page.getByRole('button', { name: 'Set a policy' }).click()
  await page.getByLabel('Most in one transaction').fill('5')
  const kept = `Object.keys(sessionStorage).filter((key) => key.includes('policy-draft'))`
  await waitUntil(page, `${kept}.length === 1`)
  await page.goBack()
  const own = page.getByRole('listitem').filter({ hasText: 'this one' })
  await own.getByRole('button', { name: /^End/ }).click()
  await own.getByRole('button', { name: 'End it now' }).click()
  await page.getByLabel('E-mail address').waitFor()
  assert.equal(await isNotStored(page).count(), 0)
  assert.deepEqual(await page.evaluate(kept), [])
  assert.equal(await reloadAndStay(page), false)
  watched.assertClean('an ended session')
})

/** Codes that are mailed to an address are limited per hour. */
async function passHour(): Promise<void> {
  app.clock.advance(HOUR_MS)
  await app.runJob('watch-network')
}

test('after a session that ended by itself, the drafts of its user stay for that user and are dropped for another', async () => {
  for (const next of ['dan@example.com', 'eve@example.com']) {
    await passHour()
    await using watched = await openWatchedPage(browser, app.url)
    const { page } = watched
    await watched.open('/console')
    await signInBy(watched, app, 'dan@example.com')
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    await page.evaluate(`sessionStorage.setItem('stakewright.policy-draft.agent', '{}')`)
    const token = String(
      await page.evaluate(`JSON.parse(sessionStorage.getItem('stakewright.session')).user.token`),
    )
    const client = app.client({ token })
    const { data } = await client.listSessions()
    for (const { id, isCurrent } of data) if (isCurrent) await client.endSession({ id })
    await page.reload()
    await page.getByLabel('E-mail address').waitFor()
    await passHour()
    await signInBy(watched, app, next)
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    const drafts = `Object.keys(sessionStorage).filter((key) => key.includes('policy-draft')).length`
    assert.equal(await page.evaluate(drafts), next === 'dan@example.com' ? 1 : 0, next)
  }
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { openChromium } from './chromium.ts'
import { openWatchedPage } from './watched-page.ts'

let app: TestApp
let browser: Browser
before(async () => {
  app = await openTestApp({ env: { LIMIT_IP_RPM: '100000', REQUEST_TIMEOUT_MS: '60000' } })
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  await app?.[Symbol.asyncDispose]()
})

/** What has the focus, by the name that a screen reader says, and whether it is marked. */
const focused = async (page: Page) =>
  String(
    await page.evaluate(`(() => {
      const element = document.activeElement
      const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent
      const outline = getComputedStyle(element).outlineStyle
      return outline === 'none' ? 'NOT MARKED: ' + label : label.trim()
    })()`),
  )

/** Presses Tab until something of that name has the focus; everything on the way has to be marked. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const at = await focused(page)
    passed.push(at)
    assert(!at.startsWith('NOT MARKED'), `${at}, after ${passed.join(' → ')}`)
    if (name.test(at)) return
  }
  assert.fail(`nothing called ${name} in ${passed.join(' → ')}`)
}

test('the labs can be used by keyboard alone, from the link that skips the navigation on', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/allocate')
  await page.keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to content')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Amount$/)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('5000')
  await tabTo(page, /^Amount, from/)
  await tabTo(page, /^At most/)
  const answered = page.waitForResponse(
    (response) => response.request().postData()?.includes('"maxValidators":4') ?? false,
  )
  await page.keyboard.press('ArrowLeft')
  await answered
  // The rows of the new answer take the place of others.
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await tabTo(page, /^Show as table$/)
  await page.keyboard.press('Enter')
  await page.getByRole('columnheader', { name: 'Last token' }).waitFor()
  await tabTo(page, /^curl$/)
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(page), 'TypeScript')
  watched.assertClean('the lab by keyboard')
})

test('the sandbox and the sign-in can be used by keyboard alone', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  await tabTo(page, /^Build the transaction$/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  await tabTo(page, /^Execute$/)
  await page.keyboard.press('Enter')
  await page.getByText('pending', { exact: true }).waitFor()

  await watched.open('/console')
  await tabTo(page, /^E-mail address$/)
  await page.keyboard.type('keys@example.com')
  await page.keyboard.press('Enter')
  await page.getByLabel('Code from the mail').waitFor()
  assert.match(await focused(page), /^Code from the mail/)
  watched.assertClean('by keyboard')
})

test('after a change of page the focus is on its title', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/')
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.getByRole('heading', { name: 'Validators', level: 1 }).waitFor()
  await page.locator('h1:focus').waitFor()
  assert.equal(await page.title(), 'Validators · Stakewright')
})

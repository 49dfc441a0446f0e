import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { mailedCode, registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser, passMinute } from '../../support/service-and-browser.ts'
import { openWatchedPage, type WatchedPage } from '../../support/watched-page.ts'

const EMAIL = 'ann@example.com'
const { app, browser } = await openServiceAndBrowser({ LIMIT_REGISTER_IP_HOUR: '100' })
const { id: agentId } = await registerAgent(app, { email: EMAIL })

async function signedIn(): Promise<WatchedPage> {
  await passMinute(app)
  const watched = await openWatchedPage(browser, app.url)
  const token = await signIn(app, EMAIL)
  await watched.signedInAs({ name: EMAIL, token, expiresAt: Date.now() + 86_400_000 })
  return watched
}

/** Presses a button by keyboard, and waits until its action is done. */
async function pressAt(page: Page, name: string | RegExp): Promise<void> {
  const exact = typeof name === 'string'
  await page.getByRole('button', { name, exact }).first().focus()
  await page.keyboard.press('Enter')
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

async function assertFocused(page: Page, what: string): Promise<void> {
  const at = await page.evaluate(`(() => {
    const { activeElement: at } = document
    return at === document.body || at === null ? '' : at.tagName + ' ' + at.textContent.slice(0, 40)
  })()`)
  assert.notEqual(at, '', `${what}: the focus is nowhere`)
}

test('after every button of the labs the focus is still on the page', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const walk = async (path: string, names: readonly (string | RegExp)[]) => {
    await watched.visit(path)
    for (const name of names) {
      await pressAt(page, name)
      await assertFocused(page, `${path}, after ${name}`)
    }
  }
  await walk('/rebalance', ['Try an example', 'Plan'])
  await page.getByLabel('Address that owns the stake').fill('0x1')
  await pressAt(page, 'Load')
  await assertFocused(page, '/rebalance, after Load')
  await walk('/allocate', [
    /^Leave out/,
    /^Leave out/,
    /^Allow .* again$/,
    /^Allow .* again$/,
    'Show as table',
  ])
  await walk('/allocate?risk=much', ['Continue without it'])
  await walk('/allocate', ['Forget it'])
  await walk('/sandbox', ['Build the transaction', 'Discard', 'Build the transaction', 'Execute'])
  await walk('/sandbox', ['Advance 5 epochs', 'Show as table'])
  await walk('/validators?q=nobody', ['Clear search and filters', 'Changing'])
  await walk('/score?weights=10-10-80', ['Back to the published weights'])
  await walk('/', ['Show as table', 'Show as plot'])
})

test('after every button of the console, from sign-in to sign-out, the focus is still on the page', async () => {
  await using fresh = await openWatchedPage(browser, app.url)
  await fresh.open('/console')
  await fresh.page.getByLabel('E-mail address').fill('bea@example.com')
  for (const name of ['Send me a code', 'Send a new code']) {
    await pressAt(fresh.page, name)
    await assertFocused(fresh.page, name)
  }
  await fresh.page.getByLabel('Code from the mail').fill(await mailedCode(app, 'bea@example.com'))
  for (const name of ['Sign in', 'Register an agent', 'Cancel']) {
    await pressAt(fresh.page, name)
    await assertFocused(fresh.page, name)
  }

  await using watched = await signedIn()
  const { page } = watched
  await watched.open(`/console/${agentId}`)
  for (const name of [
    'Pause',
    'Pause now',
    'Resume',
    'Resume now',
    'Change the policy',
    'Discard the change',
    'Add a named key',
    'Cancel',
    'Rotate the key',
    'Rotate now',
    'I have stored it',
    'Revoke',
    'Revoke for good',
  ]) {
    await pressAt(page, name)
    await assertFocused(page, name)
  }
  await page.getByRole('link', { name: 'Console', exact: true }).first().click()
  await pressAt(page, 'Sign out')
  await assertFocused(page, 'Sign out')
})

test('a busy button keeps the focus, and a second press does nothing', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  await page.route('**/api/v1/auth/code', async (route) => {
    asked += 1
    first.resolve()
    await second.promise
    await route.continue()
  })
  await page.getByLabel('E-mail address').fill('cleo@example.com')
  const button = page.getByRole('button', { name: 'Send me a code' })
  await button.focus()
  await page.keyboard.press('Enter')
  await first.promise
  await page.locator('button[aria-disabled="true"]:focus').waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('E-mail address').press('Enter')
  second.resolve()
  await page.getByLabel('Code from the mail').waitFor()
  assert.equal(asked, 1)
  await page.unrouteAll({ behavior: 'wait' })
})

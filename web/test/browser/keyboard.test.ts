import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { mailedCode, signIn } from '../../../server/test/support/registered-agent.ts'
import { focused, press, tabTo, typeInto } from '../support/by-keyboard.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const ROOT = 'root@example.com'

const { app, browser } = await openServiceAndBrowser(ADMIN)

test('the lab can be used by keyboard alone, from the skip link to every further limit', async () => {
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
  // The rows of the new answer replace the old ones.
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' })
  await tabTo(page, /^Show as table$/)
  await page.keyboard.press('Enter')
  await page.getByRole('columnheader', { name: 'Last token' }).waitFor()
  await tabTo(page, /^curl$/)
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(page), 'TypeScript')

  // Every further limit.
  await page.keyboard.press('ArrowLeft')
  await press(page, /^More limits/)
  await tabTo(page, /^Lowest score/)
  await page.keyboard.press('ArrowRight')
  await tabTo(page, /^Highest commission/)
  await page.keyboard.press('ArrowLeft')
  await typeInto(page, /^Keep at hand/, '1000')
  await tabTo(page, /^Needed within/)
  await page.keyboard.press('ArrowDown')
  await typeInto(page, /^Address with stake already/, `0x${'7'.repeat(64)}`)
  const call = page.getByLabel('the curl code', { exact: true })
  for (const part of ['"minScore":5', '"maxCommission":0.99', '"withinEpochs":1', '"owner":"0x777'])
    await call.getByText(part).waitFor()
  watched.assertClean('the lab by keyboard')
})

test('the sandbox and the sign-in can be used by keyboard alone', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/sandbox')
  await tabTo(page, /^Build the transaction$/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Execute' }).waitFor()
  await page.locator('#draft:focus').waitFor()
  await tabTo(page, /^Execute$/, 1)
  await page.keyboard.press('Enter')
  await page.getByText('pending', { exact: true }).waitFor()
  await page.locator('#tokens:focus').waitFor()
  await tabTo(page, /^Build the transaction$/)
  await page.keyboard.press('Enter')
  await page.locator('#draft:focus').waitFor()
  await tabTo(page, /^Discard$/)
  await page.keyboard.press('Enter')
  await page.locator('#tokens:focus').waitFor()
  await tabTo(page, /^Advance 1 epoch$/)
  await page.keyboard.press('Enter')
  await page.locator('.journal li').nth(1).waitFor()
  await page.locator('[aria-label="Advance 1 epoch"]:focus:enabled').waitFor()

  await watched.open('/console')
  await tabTo(page, /^E-mail address$/)
  await page.keyboard.type('keys@example.com')
  await page.keyboard.press('Enter')
  await page.getByLabel('Code from the mail').waitFor()
  assert.match(await focused(page), /^Code from the mail/)
  await page.keyboard.type(await mailedCode(app, 'keys@example.com'))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  watched.assertClean('by keyboard')
})

test('a plan can be made, and validators can be found, by keyboard', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { data } = await app.client().validators()
  const known = data.find(({ status }) => status === 'active')
  await watched.open('/rebalance')
  await typeInto(page, /^Or write it/, `${known?.name}, 25000`)
  await press(page, /^Plan$/)
  await page.getByRole('heading', { name: 'Where it is now' }).waitFor()

  await watched.open('/validators')
  await typeInto(page, /^Search by name or id$/, known?.name ?? '')
  await page.getByText('1 validator', { exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await press(page, /^All$/)
  await page.getByText(`${data.length} validators`, { exact: true }).waitFor()
  await tabTo(page, /^Highest commission$/)
  await page.keyboard.press('End')
  await page.waitForURL(/commission=5/)
  await press(page, /^Net APY/)
  await page.waitForURL(/sort=apy/)
  watched.assertClean('a plan and validators by keyboard')
})

test('an operator’s forms by keyboard: wallet, register, rotate, named key, end of a session', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await press(page, /^Sign with a play wallet$/)
  await page.locator('h1:focus').waitFor()
  await press(page, /^Register the first one$/)
  assert.equal(await focused(page), 'Name')
  await page.keyboard.type('by-keys')
  await tabTo(page, /^Kind$/)
  await tabTo(page, /^Tier$/)
  await press(page, /^Register$/)
  await page.locator('.key-text').waitFor()
  await press(page, /^I have stored it$/)
  await page.locator('h1:focus').waitFor()
  await press(page, /^by-keys$/)
  await page.locator('h1:focus').waitFor()

  await press(page, /^Rotate the key$/)
  await press(page, /^Rotate now$/)
  await page.locator('.key-text').waitFor()
  await press(page, /^I have stored it$/)
  await page.locator('h1:focus').waitFor()

  await press(page, /^Add a named key$/)
  await page.keyboard.type('ci')
  await tabTo(page, /^build transactions/)
  await page.keyboard.press('Space')
  await typeInto(page, /^Accepted from$/, '127.0.0.0/8')
  await tabTo(page, /^It works$/)
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.getByLabel('It works').inputValue(), '30')
  await press(page, /^Make the key$/)
  const apiKey = (await page.locator('.key-text').textContent()) ?? ''
  await app.client({ apiKey }).usage()
  await press(page, /^I have stored it$/)
  await page.locator('h1:focus').waitFor()
  await press(page, /^Revoke the key ci$/)
  await press(page, /^Revoke for good$/)
  await page.getByText('revoked', { exact: true }).waitFor()
  await assert.rejects(app.client({ apiKey }).usage(), { code: 'unauthorized' })

  await press(page, /^Console$/)
  await page.locator('h1:focus').waitFor()
  await press(page, /^End the session from/)
  await press(page, /^End it now$/)
  await page.getByRole('button', { name: 'Sign with a play wallet' }).waitFor()
  watched.assertClean('the console by keyboard')
})

test('a Tab press before the result of an action is drawn keeps the focus', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await page.getByRole('button', { name: 'Sign with a play wallet' }).click()
  await page.getByRole('button', { name: 'Register the first one' }).click()
  await page.keyboard.type('quick')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.locator('.key-text').waitFor()
  await tabTo(page, /^I have stored it$/)
  await page.evaluate('self.frames = []; self.requestAnimationFrame = (frame) => self.frames.push(frame)')
  await page.keyboard.press('Enter')
  await page.locator('.key-text').waitFor({ state: 'detached' })
  await tabTo(page, /^quick$/)
  await page.evaluate('self.frames.forEach((frame) => frame(performance.now()))')
  assert.equal(await focused(page), 'quick')
})

test('an admin sets limits by keyboard', async () => {
  const { data } = await app.client().sandboxKey({ agentName: 'slow down' })
  const user = { name: ROOT, token: await signIn(app, ROOT), expiresAt: Date.now() + 86_400_000 }
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${data.id}`)
  await press(page, /^Set limits$/)
  await typeInto(page, /^Per minute$/, '7')
  await press(page, /^Set these limits$/)
  await page.getByText('7 / min').waitFor()
  await page.locator('button:focus', { hasText: 'Set limits' }).waitFor()
  watched.assertClean('limits by keyboard')
})

test('a link opens a page at its top with the focus on its title, and the old page does not change while the new one loads', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/validators?sort=apy&q=a')
  await page.evaluate('scrollTo(0, 900)')
  const link = page.locator('tbody tr').nth(25).getByRole('link')
  const name = (await link.textContent()) ?? ''
  await link.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.locator('h1:focus', { hasText: name }).waitFor()
  await watched.settle()
  assert.equal(await page.evaluate('scrollY'), 0)
  assert.equal(await page.title(), `${name} · Stakewright`)
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
  assert.equal(await page.getByLabel('Search by name or id').inputValue(), 'a')
})

test('the folded navigation closes by Escape, by a click beside it, and after a navigation', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 390 })
  const { page } = watched
  await watched.open('/')
  const menu = page.getByRole('button', { name: 'Pages', exact: true })
  const isOpen = (state: 'true' | 'false') =>
    page.locator(`#navigation[data-open="${state}"]`).waitFor({ state: 'attached' })
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(200, 800),
    () => page.getByRole('link', { name: 'Allocate', exact: true }).click(),
  ]) {
    await menu.click()
    await isOpen('true')
    await leave()
    await isOpen('false')
  }
  await page.getByRole('heading', { level: 1, name: 'Allocate' }).waitFor()
})

test('on a phone a built transaction comes into view', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 360 })
  const { page } = watched
  await page.setViewportSize({ width: 360, height: 740 })
  await watched.open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.locator('#draft:focus').waitFor()
  const box = await page.locator('#draft').boundingBox()
  assert(box && box.y >= 0 && box.y + box.height <= 740, JSON.stringify(box))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '@stakewright/contract/routes'
import { button, ownerOf } from '../../support/policy-owner.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser()

test('an action in progress cannot be cancelled, and a reopened confirmation shows no old error', async () => {
  const { agent, user } = await ownerOf(app)('thoughts@example.com')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await watched.open(`/console/${agent.id}`)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(`**${ROUTES.revokeAgent.path.replace('{id}', agent.id)}`, async (route) => {
    if (route.request().method() !== ROUTES.revokeAgent.method) return route.continue()
    await released
    await route.fulfill({ status: 409, body: '' })
  })
  await button(page, 'Revoke').click()
  await button(page, 'Revoke for good').click()
  await page.locator('.confirm [aria-disabled="true"]').first().waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await button(page, 'Revoke for good').count(), 1)
  release()
  const refused = page.locator('.confirm [role="alert"]')
  await refused.waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Revoke').click()
  await button(page, 'Revoke for good').waitFor()
  assert.equal(await refused.count(), 0)
  assert(watched.takeMessages().every((message) => message.includes('409')))
})

test('choosing another address removes the error of a wrong code', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await page.getByLabel('E-mail address').fill('wrong@example.com')
  await button(page, 'Send me a code').click()
  await page.getByLabel('Code from the mail').fill('000000')
  await button(page, 'Sign in').click()
  const problem = page.getByText('This code is wrong')
  await problem.waitFor()
  await button(page, 'Another address').click()
  await button(page, 'Send me a code').waitFor()
  assert.equal(await problem.count(), 0)
  assert(watched.takeMessages().every((message) => message.includes('401')))
})

test('after a refused key the page asks for another one, with the reason', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route(`**${ROUTES.sandboxKey.path}`, (route) => route.fulfill({ status: 403, body: '' }))
  await watched.open('/allocate')
  await page.getByLabel('API key').fill(`stk_${'A1b2'.repeat(11)}`)
  await button(page, 'Use this key').click()
  await page.getByText('The key was refused').waitFor()
  await page.getByLabel('API key').waitFor()
  await watched.assertAccessible('a refused key')
  assert(watched.takeMessages().every((message) => /status of 40[13]/.test(message)))
})

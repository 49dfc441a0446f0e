import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { mailedCode, registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { appCode } from '../../../../server/test/support/services/authenticator.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const { app, browser } = await openServiceAndBrowser({ ...ADMIN, LIMIT_REGISTER_IP_HOUR: '100' })

test('an operator’s life by clicks: sign in, register, see requests, rotate, revoke', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await signInBy(watched, app, 'ann@example.com')
  await page.getByRole('button', { name: 'Register the first one' }).click()
  await page.getByLabel('Name').fill('yield-scout')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const first = (await page.locator('.key-text').textContent()) ?? ''
  assert.equal((await app.client({ apiKey: first }).usage()).tier, 'builder')
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('link', { name: 'yield-scout' }).click()
  await page.getByText('Its own limits and use').first().waitFor()
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  await page.getByText('The old one is refused at once.').waitFor()
  await page.getByRole('button', { name: 'Rotate now' }).click()
  const second = (await page.locator('.key-text').textContent()) ?? ''
  await assert.rejects(app.client({ apiKey: first }).usage(), { code: 'unauthorized' })
  assert.equal((await app.client({ apiKey: second }).usage()).tier, 'builder')
  await page.getByText('The old key is refused already.').waitFor()
  await page.getByRole('button', { name: 'Copy the key' }).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), second)
  await watched.assertFitsEveryLook('a rotated key')
  await watched.resize(360)
  const boxes = await page.locator('.key-text').evaluate((text) => text.getClientRects().length)
  assert.equal(boxes, 1, 'a line of the key covers no sign of another')
  await watched.resize(1280)
  await page.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('This cannot be undone.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal((await app.client({ apiKey: second }).usage()).tier, 'builder')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  await assert.rejects(app.client({ apiKey: second }).usage(), { code: 'unauthorized' })
  await page.getByText('To continue, register a new agent in the console.').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Actions' }).count(), 0)
  for (const name of ['Pause', 'Set a policy'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  await watched.assertFitsEveryLook('a revoked agent')
})

test('after a rotation with a grace period the page says until when the old key works, and it does', async () => {
  const email = 'fay@example.com'
  const { id, apiKey: old } = await registerAgent(app, { email })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/console/${id}`)
  await signInBy(watched, app, email)
  await page.getByRole('button', { name: 'Rotate the key' }).click()
  await page.getByLabel('The old key works').selectOption('for an hour')
  await page.getByText('The old one continues to work for an hour.').waitFor()
  await page.getByRole('button', { name: 'Rotate now' }).click()
  const key = (await page.locator('.key-text').textContent()) ?? ''
  await page.getByText(/The old key works until .*\d/).waitFor()
  // The note is shown as long as the key, also after a visit to another page.
  await page.getByRole('link', { name: 'Validators', exact: true }).click()
  await page.getByRole('link', { name: 'Show it again' }).click()
  await page.getByText(/The old key works until .*\d/).waitFor()
  for (const apiKey of [old, key]) await app.client({ apiKey }).usage()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.reload()
  const oldKey = page.getByRole('region', { name: 'Old key' })
  await oldKey.getByText(new RegExp(`The old key ${old.slice(0, 12)}… still works, until .*\\d`)).waitFor()
  await watched.assertFitsEveryLook('an old key that still works')
  app.clock.advance(3_600_000)
  await app.runJob('watch-network')
  await assert.rejects(app.client({ apiKey: old }).usage(), { code: 'unauthorized' })
  await page.reload()
  await page.getByRole('button', { name: 'Rotate the key' }).waitFor()
  assert.equal(await oldKey.count(), 0, 'its time is over')
  await app.client({ apiKey: key }).usage()
  watched.assertClean('a rotation with time')
})

test('an old key that still works is ended at once, and the new key keeps working', async () => {
  const email = 'gus@example.com'
  const { id, apiKey: old } = await registerAgent(app, { email })
  const token = await signIn(app, email)
  const { data } = await app.client({ token }).rotateKey({ id, gracePeriodSeconds: 3600 })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs({ name: email, token, expiresAt: Date.now() + 3_600_000 })
  await watched.open(`/console/${id}`)
  await page.getByRole('button', { name: 'End the old key' }).click()
  await page.getByText('is refused from now on; the new one continues to work.').waitFor()
  await app.client({ apiKey: old }).usage()
  await page.getByRole('button', { name: 'End it now' }).click()
  await page.getByRole('region', { name: 'Old key' }).waitFor({ state: 'detached' })
  await assert.rejects(app.client({ apiKey: old }).usage(), { code: 'unauthorized' })
  await app.client(data).usage()
  await page.getByText('revoked one of its keys').waitFor()
  watched.assertClean('an old key that was ended')
})

test('an admin suspends an agent of somebody else, resumes it, and lists all agents, keys of visitors only if asked for', async () => {
  const apiKey = await registered('bob-bot')
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console?agents=actions')
  await signInBy(watched, app, 'root@example.com')
  await page.getByRole('heading', { name: 'Management actions' }).waitFor()
  const signIns = page.getByRole('row').filter({ hasText: 'signed in' })
  await signIns.first().waitFor()
  assert.equal(await signIns.getByRole('link').count(), 0, 'a sign-in leads to no agent')
  await page.getByRole('button', { name: 'Everybody’s' }).click()
  await page.getByRole('link', { name: 'bob-bot' }).click()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Suspend now' }).click()
  await page.getByText('suspended', { exact: true }).waitFor()
  await assert.rejects(app.client({ apiKey }).usage(), { code: 'unauthorized' })
  await page.getByText('“Resume” lets it work again.').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Resume now' }).click()
  await page.getByText('active', { exact: true }).waitFor()
  assert.equal((await app.client({ apiKey }).usage()).tier, 'builder')
  await page.getByRole('button', { name: 'Set limits' }).click()
  await page.getByLabel('Per minute').fill('7')
  await page.getByText('From 1,000 a minute and 100,000 a day to 7 and 100,000.').waitFor()
  await page.getByRole('button', { name: 'Set these limits' }).click()
  await page.getByText('7 / min').waitFor()
  // The actions are listed on the agent’s page, and in the log of all agents.
  const done = page.getByRole('region', { name: 'What was done to it' })
  for (const text of ['suspended it', 'let it work again', 'set its limits'])
    await done.getByText(`An admin ${text}.`).waitFor()
  await done.getByText('From 1,000 a minute and 100,000 a day to 7 a minute and 100,000 a day.').waitFor()
  // The log of all agents is refreshed when it is shown again.
  await page.getByRole('link', { name: 'Console', exact: true }).first().click()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('cell', { name: 'An admin suspended it' }).waitFor({ timeout: 15_000 })
  await page.getByText('takes writes; counters in memory').waitFor()
  await page.getByRole('button', { name: 'Verify the log' }).click()
  await page.getByText('Intact: nothing in it was changed, dropped, added or cut off.').waitFor()
  await page.getByLabel('Kind of action').selectOption('set-limits')
  await page.getByRole('cell', { name: 'An admin set its limits' }).waitFor()
  assert.equal(await page.getByRole('cell', { name: 'An admin suspended it' }).count(), 0)
  await page.getByRole('link', { name: 'bob-bot' }).click()
  await page.getByRole('heading', { name: 'bob-bot' }).waitFor()

  // Sandbox keys of web visitors are left out of the list until they are asked for.
  for (const name of ['web visitor', 'web visitor', 'carol-bot']) await registered(name)
  await watched.visit('/console?agents=all')
  const search = page.getByLabel('Search by name, owner, id or key')
  await search.fill('carol')
  await page.getByText('1 agent', { exact: true }).waitFor()
  await search.fill('visitor')
  await page.getByText('No agent fits.').waitFor()
  await page.getByRole('checkbox', { name: /for play of web visitors/ }).check()
  await page.getByRole('link', { name: 'web visitor' }).first().waitFor()
  await watched.assertAccessible('everybody’s agents')
  watched.assertClean('the admin’s console')
})

test('the owner of a suspended agent reads why it does not work, and whom to ask', async () => {
  const email = 'hal@example.com'
  const { id } = await registerAgent(app, { email })
  const root = app.client({ token: await signIn(app, 'root@example.com') })
  await root.updateAgent({ id, status: 'suspended' })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/console/${id}`)
  await signInBy(watched, app, email)
  await page.getByText('An admin has suspended this agent').waitFor()
  await page.getByText('Ask an admin of this service to resume it.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
  await watched.assertFitsEveryLook('a suspended agent')
  await root.updateAgent({ id, status: 'active' })
  await watched.open(`/console/${id}`)
  await page.getByText('active', { exact: true }).waitFor()
  assert.equal(await page.getByText('An admin has suspended').count(), 0)
})

test('after the end of a session the same page asks to sign in again', async () => {
  const email = 'ivy@example.com'
  await registerAgent(app, { email, agentName: 'ivy-bot' })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await signInBy(watched, app, email)
  app.clock.advance(30 * 86_400_000)
  // Reads the chain again, because data that old are not served.
  await app.runJob('watch-network')
  // One refusal comes late, when the page has already asked to sign in: it must not end the next session.
  const { promise: ended, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('**/api/v1/auth/sessions', async (route) => {
    await ended
    await route.continue()
  })
  await page.reload()
  await page.getByText('Your session has ended.').waitFor()
  const refused = page.waitForResponse('**/api/v1/auth/sessions')
  letThrough()
  await refused
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('401')))
  await signInBy(watched, app, email)
  await page.getByRole('link', { name: 'ivy-bot' }).waitFor()
})

test('signing in by mail survives a reload, explains a wrong code in words, sends a new one, and ignores spaces in it', async () => {
  const email = 'erin@example.com'
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const field = page.getByLabel('Code from the mail')
  await field.waitFor()
  await page.reload()
  const first = await mailedCode(app, email)
  await field.fill(first === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This code is wrong, used, expired or tried too often.').waitFor()
  assert.equal(await page.getByText('/api/').count(), 0, 'calls are for programs')
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await page.getByText('A new code is on its way.').waitFor()
  assert.equal(await page.getByText('This code is wrong').count(), 0)
  const code = await mailedCode(app, email)
  await field.fill(` ${code.slice(0, 3)} ${code.slice(3)} `)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), '')
  assert.equal(await field.count(), 0)
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('401')))
})

async function registered(agentName: string): Promise<string> {
  const { data } = await app.client().sandboxKey({ agentName })
  return data.apiKey
}

test('an admin with an authenticator app is asked for its code, and for no input twice', async () => {
  const email = 'root@example.com'
  const root = app.client({ token: await signIn(app, email) })
  const { secret } = (await root.enrolTotp()).data
  await root.confirmTotp({ code: appCode(secret, app.clock.now()) })
  app.clock.advance(30_000)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('Code from the mail').waitFor()
  await page.getByLabel('Code from the mail').fill(await mailedCode(app, email))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('Code from your authenticator app').fill(appCode(secret, app.clock.now()))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
})

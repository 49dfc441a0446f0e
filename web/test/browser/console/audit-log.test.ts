import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { ME, TEN } from '../../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { changeStore } from '../../../../server/test/support/test-store.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const ROOT = 'root@example.com'
const { app, browser } = await openServiceAndBrowser({ ...ADMIN, LIMIT_REGISTER_IP_HOUR: '100' })

test('a verification that takes longer than a request is polled until its verdict comes', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  let calls = 0
  await page.route('**/api/v1/audit/verify', async (route) => {
    calls += 1
    // More failures than retries of the client.
    if (calls > 5) return route.continue()
    const body = {
      error: 'timeout',
      message: 'The work took too long.',
      status: 504,
      requestId: 'x',
      retryable: true,
    }
    return route.fulfill({ status: 504, headers: { 'x-request-id': 'x' }, json: body })
  })
  await watched.open('/console?agents=actions')
  await signInBy(watched, app, ROOT)
  await page.getByRole('button', { name: 'Verify the log' }).click()
  await page.getByText('Intact: nothing in it was changed, dropped, added or cut off.').waitFor()
  assert.equal(calls, 6)
  assert.equal(await page.getByText('The service does not answer').count(), 0)
})

test('the verify button of an admin says intact, until the log is changed in the store', async () => {
  const { apiKey } = await registerAgent(app)
  await app.client({ apiKey }).usage()
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console?agents=actions')
  await signInBy(watched, app, ROOT)
  const verify = page.getByRole('button', { name: 'Verify the log' })
  await verify.click()
  await page.getByText('Intact: nothing in it was changed, dropped, added or cut off.').waitFor()
  await page.getByText(/1 signature|[02-9] signatures/).waitFor()
  await watched.assertFitsEveryLook('an intact log')

  await changeStore(
    app.folder,
    'delete from audit_batches where seq = (select seq from audit_batches order by seq limit 1 offset 1)',
  )
  await verify.click()
  const alarm = page.getByRole('alert').getByText(/The audit log is not intact: .* (?:is|are) missing\./)
  await alarm.waitFor()
  await page.getByText('Copy the store before you change anything').waitFor()
  assert.equal(await page.getByText('Intact:', { exact: true }).count(), 0)
  await page.getByText('log not intact', { exact: true }).waitFor()
  assert.equal(await page.getByText('in order', { exact: true }).count(), 0)
  await watched.assertFitsEveryLook('a log that was changed')
  // The verdict stays while the log is verified again, and if that fails.
  const { promise: failing, resolve: letFail } = Promise.withResolvers<void>()
  await page.route('**/api/v1/audit/verify', async (route) => {
    await failing
    await route.abort('connectionrefused')
  })
  await verify.click()
  await page.getByRole('button', { name: 'Reading …' }).waitFor()
  assert.equal(await alarm.count(), 1)
  letFail()
  await verify.waitFor()
  assert.equal(await alarm.count(), 1)
  await page.getByText('log not intact', { exact: true }).waitFor()
  for (const view of ['Everybody’s', 'Approvals', 'My agents']) {
    await page.getByRole('button', { name: view }).click()
    await alarm.waitFor()
  }
  await page.getByRole('button', { name: 'Everybody’s' }).click()
  await page.getByRole('link', { name: 'yield-scout' }).first().click()
  await page.getByText('From the audit log, which is not intact').waitFor()
})

test('the page of an agent shows the terms of a named key, and which requests used it', async () => {
  const email = 'kim@example.com'
  const { id, apiKey } = await registerAgent(app, { email })
  const owner = app.client({ token: await signIn(app, email) })
  const allowedNetworks = ['127.0.0.0/8']
  const { data: named } = await owner.createKey({ id, name: 'nightly', scopes: ['read'], allowedNetworks })
  await app.client({ apiKey }).usage()
  await app.client({ apiKey: named.apiKey }).metadata()
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open(`/console/${id}`)
  await signInBy(watched, app, email)
  const done = page.getByRole('region', { name: 'What was done to it' })
  await done.getByText(named.apiKey.slice(0, 8)).waitFor()
  await done
    .getByText('It may read data and ask for advice; accepted from 127.0.0.0/8, without an end.')
    .waitFor()
  const requests = page.getByRole('table', { name: 'Last requests' })
  await requests.getByRole('row', { name: /^facts of the network.* nightly / }).waitFor()
  await requests.getByRole('row', { name: /^its own limits and use.* primary / }).waitFor()
  const search = page.getByLabel('Filter by what the rows show')
  await search.fill('nightly')
  await requests.getByRole('row', { name: /^its own limits and use/ }).waitFor({ state: 'detached' })
  await requests.getByRole('row', { name: /^facts of the network/ }).waitFor()
  await search.fill('')
  await page.getByText('Requests a day: the mean of the days since it was registered').waitFor()
  await page.getByText('not enough to judge', { exact: true }).waitFor()
  await page
    .getByText('looked at data and also checked network facts, its use or its policy in the 15 minutes')
    .waitFor()
  await page.getByText('Only an admin of this service can do that').waitFor()
  await page.getByText('Its limits are set by an admin of this service, who can also suspend it').waitFor()
  await watched.assertFitsEveryLook('the keys of a log')
})

test('the page of an agent shows the amount of a build, why it was refused, and which approval it waits for', async () => {
  const email = 'lou@example.com'
  const { id, apiKey } = await registerAgent(app, { email })
  const token = await signIn(app, email)
  const owner = app.client({ token })
  const agent = app.client({ apiKey })
  const { symbol } = await agent.network()
  const { data } = await agent.validators()
  const [first, second] = data.filter(({ status }) => status === 'active')
  assert(first && second)
  await owner.writePolicy({
    id,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'validators', deny: [second.id] },
      { rule: 'maxPerTx', amount: '1500000000000' },
      { rule: 'approvalAbove', amount: '5000000000' },
    ],
  })
  const build = (validatorId: string, amount: string) =>
    agent.buildStake({ validatorId, amount, sender: ME }).catch(() => undefined)
  await build(first.id, '2000500000000')
  await build(second.id, '1000000000')
  await build(first.id, TEN)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs({ name: email, token, expiresAt: Date.now() + 86_400_000 })
  await watched.open(`/console/${id}`)
  const requests = page.getByRole('table', { name: 'Last requests' })
  const row = (name: string) => requests.getByRole('row', { name })
  await row(`build a stake, 2,000.5 ${symbol}`)
    .getByText(`Rule “amount per transaction”: 2,000.5 ${symbol}, 1,500 ${symbol} allowed.`)
    .waitFor()
  await row(`build a stake, 1 ${symbol}`)
    .getByText(`Rule “validators”: stake may not go to ${second.name}.`)
    .waitFor()
  await row(`build a stake, 10 ${symbol}`).getByText('held', { exact: true }).waitFor()
  // As the service does, the page counts what was asked for, refused or not.
  await page.getByText('0 of 100', { exact: true }).waitFor()
  const search = page.getByLabel('Filter by what the rows show')
  for (const [words, found] of [
    ['held', [`10 ${symbol}`]],
    ['refused', [`1 ${symbol}`, `2,000.5 ${symbol}`]],
    ['1,500', [`2,000.5 ${symbol}`]],
    [`may not go to ${second.name}`, [`1 ${symbol}`]],
    ['asked for this approval', [`10 ${symbol}`]],
  ] as const) {
    await search.fill(words)
    await requests.locator('tbody tr').nth(found.length).waitFor({ state: 'detached' })
    const amounts = await requests.locator('tbody .request .number').allTextContents()
    assert.deepEqual(amounts.toSorted(), [...found].toSorted(), words)
  }
  await search.fill('')
  await page.getByRole('button', { name: 'Refused or held' }).click()
  assert.equal(await requests.getByRole('row', { name: /^build a stake/ }).count(), 3)
  await watched.assertFitsEveryLook('why builds were refused')
  await row(`build a stake, 10 ${symbol}`).getByRole('link', { name: 'Asked for this approval' }).click()
  await page.getByRole('heading', { name: `yield-scout wants to stake 10 ${symbol}` }).waitFor()
})

test('the plot of usage shows the daily limit as a line once the bars come near it', async () => {
  const email = 'max@example.com'
  const { id, apiKey } = await registerAgent(app, { email })
  const admin = app.client({ token: await signIn(app, ROOT) })
  const token = await signIn(app, email)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  // The page has the time of the service, so that both count the same days.
  await page.clock.setFixedTime(app.clock.now())
  await watched.signedInAs({ name: email, token, expiresAt: app.clock.now() + 86_400_000 })
  const line = page.locator('.limit-line')
  for (const [rpd, lines] of [
    [1_000, 0],
    [12, 1],
  ] as const) {
    await admin.updateAgent({ id, rateLimits: { rpm: 10, rpd } })
    await app.client({ apiKey }).usage()
    await watched.open(`/console/${id}`)
    await page.getByText(`It may send ${rpd.toLocaleString('en-US')} a day.`).waitFor()
    await page.locator('svg.day-bars').waitFor()
    assert.equal(await line.count(), lines)
  }
  assert.equal(await line.textContent(), 'limit of a day 12')
  await watched.assertFitsEveryLook('use near its limit')
})

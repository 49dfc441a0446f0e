import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { DAY_MS } from '../../../../server/src/durations.ts'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const EMAIL = 'root@example.com'

const { app, browser } = await openServiceAndBrowser(ADMIN)
// One sign-in for all tests: only three codes an hour are mailed for one network.
const token = await signIn(app, EMAIL)

async function openConsole(change?: (status: object) => object) {
  const watched = await openWatchedPage(browser, app.url)
  // The page has the time of the service, so that both count the same days.
  await watched.page.clock.setFixedTime(app.clock.now())
  await watched.signedInAs({ name: EMAIL, token, expiresAt: app.clock.now() + DAY_MS })
  if (change)
    await watched.page.route('**/api/v1/service', async (route) => {
      const response = await route.fetch({ maxRetries: 3 })
      const { data } = await response.json()
      await route.fulfill({ response, json: { success: true, data: change(data) } })
    })
  await watched.open('/console')
  return watched
}

const tile = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Service' }).locator('.stat', { hasText: label })

test('without agents an admin reads that there are none, not that none fits the filter', async () => {
  await using watched = await openConsole()
  const { page } = watched
  await page.getByRole('button', { name: 'Everybody’s' }).click()
  await page.getByText('No agent is registered yet, besides keys for play').waitFor()
  await page.getByRole('button', { name: 'Show these, too' }).click()
  await page.getByText('No agent is registered yet.').waitFor()
  await page.getByLabel('State').selectOption('suspended')
  await page.getByText('No agent fits.').waitFor()
  watched.assertClean('no agents')
})

test('an admin sees store, leader, age of the data, nodes and registrations of a service in order', async () => {
  await registerAgent(app, { email: 'ann@example.com' })
  await registerAgent(app, { email: 'bob@example.com' })
  await using watched = await openConsole()
  const { page } = watched
  await tile(page, 'Service').getByText('in order').waitFor()
  await tile(page, 'Store').getByText('takes writes; counters in memory').waitFor()
  await tile(page, 'Jobs').getByText('this instance is the leader').waitFor()
  const { epoch } = await app.client().epoch()
  await tile(page, 'Age of the chain data').getByText(`sandbox, epoch ${epoch}`).waitFor()
  await tile(page, 'Chain nodes').getByText('the chain is simulated').waitFor()
  await tile(page, 'Registered today').getByText('2', { exact: true }).waitFor()
  await tile(page, 'Registered today').getByText('0 yesterday').waitFor()
  watched.assertClean('a service in order')
})

/** The answer of a service in trouble: that of a test has one instance, no nodes and a store that works. */
const TROUBLE = {
  isLeader: false,
  dataAgeSeconds: 7_320,
  store: { kind: 'postgres', isWritable: false },
  counters: 'redis',
  nodes: [
    { host: 'one.example.org', isReady: true, failures: 0, retryInSeconds: 0 },
    { host: 'two.example.org', isReady: false, failures: 3, retryInSeconds: 45 },
  ],
}

test('an admin sees what is wrong: no writes, another leader, old data, an open breaker', async () => {
  await using watched = await openConsole((status) => ({ ...status, ...TROUBLE }))
  const { page } = watched
  await tile(page, 'Store').getByText('takes no writes: nothing is served').waitFor()
  await tile(page, 'Jobs').getByText('another instance is the leader').waitFor()
  await tile(page, 'Age of the chain data').getByText('2 h 2 min, old').waitFor()
  await tile(page, 'Chain nodes').getByText('1 of 2').waitFor()
  await tile(page, 'Chain nodes').getByText('1 breaker open: left alone after failures').waitFor()
  await page.getByText('two.example.org').waitFor()
  await page.getByText('3 failures, next try in 45 s').waitFor()
  await watched.assertFits('a service in trouble')
})

test('an agent that has used up its day says so, and when it works again', async () => {
  const { id, apiKey } = await registerAgent(app, { email: EMAIL })
  const admin = app.client({ token })
  await admin.updateAgent({ id, rateLimits: { rpm: 10, rpd: 2 } })
  await using watched = await openConsole()
  const { page } = watched
  const usedUp = page.getByText(
    'It has used up the 2 requests of this day: more are refused until midnight UTC.',
  )
  await app.client({ apiKey }).metadata()
  await watched.open(`/console/${id}`)
  await page.getByText('2 a day').first().waitFor()
  assert.equal(await usedUp.count(), 0)
  await app.client({ apiKey }).metadata()
  await watched.open(`/console/${id}`)
  await usedUp.waitFor()
  await page.getByText('It works again in 12 h').waitFor()
  await watched.resize(320)
  await watched.assertFits('an agent at its limit')
})

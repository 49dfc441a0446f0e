import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser, passMinute } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const LIMIT = 60
const { app, browser } = await openServiceAndBrowser({ LIMIT_IP_RPM: String(LIMIT) })

test('an owner whose address is beyond its limit signs in, finds the agent and revokes it by clicks', async () => {
  const email = 'ann@example.com'
  const { apiKey } = await registerAgent(app, { email })
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/console')
  const statusOf = async () => (await fetch(`${app.url}/api/v1/staking/epoch`)).status
  for (let sent = 0; sent < LIMIT; sent += 1) await statusOf()
  assert.equal(await statusOf(), 429)
  await signInBy(watched, app, email)
  await page.getByRole('link', { name: 'yield-scout' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText('revoked', { exact: true }).waitFor()
  assert.equal(await statusOf(), 429, 'the limit is still used up')
  await passMinute(app)
  await assert.rejects(app.client({ apiKey }).metadata(), { code: 'unauthorized', message: /revoked/ })
})

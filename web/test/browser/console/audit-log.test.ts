import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser } from '../../support/service-and-browser.ts'
import { signInBy } from '../../support/sign-in-by.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const ROOT = 'root@example.com'
const { app, browser } = await openServiceAndBrowser(ADMIN)

test('an admin verifies the log by a press: intact, until somebody changes it in the store', async () => {
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

  const file = join(app.folder, 'stakewright.db')
  // On Postgres, the tests of its own log change it in every way.
  if (!existsSync(file)) return
  using database = new DatabaseSync(file)
  database.exec('delete from audit_batches where seq = (select min(seq) + 1 from audit_batches)')
  await verify.click()
  const alarm = page.getByRole('alert').getByText(/The audit log is not intact: .* is missing\./)
  await alarm.waitFor()
  await page.getByText('Copy the store before you change anything').waitFor()
  assert.equal(await page.getByText('Intact:', { exact: true }).count(), 0)
  await page.getByText('log not intact', { exact: true }).waitFor()
  assert.equal(await page.getByText('in order', { exact: true }).count(), 0)
  await watched.assertFitsEveryLook('a log that was changed')
  for (const view of ['Everybody’s', 'Approvals', 'My agents']) {
    await page.getByRole('button', { name: view }).click()
    await alarm.waitFor()
  }
  await page.getByRole('button', { name: 'Everybody’s' }).click()
  await page.getByRole('link', { name: 'yield-scout' }).first().click()
  await page.getByText('From the audit log, which is not intact').waitFor()
})

test('the page of an agent tells what a named key was made with, and which requests used it', async () => {
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
  await page.getByText('Only an admin of this service can do that').waitFor()
  await page.getByText('Its limits are set by an admin of this service, who can also suspend it').waitFor()
  await watched.assertFitsEveryLook('the keys of a log')
})

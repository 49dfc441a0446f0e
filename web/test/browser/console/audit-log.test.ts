import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { registerAgent } from '../../../../server/test/support/registered-agent.ts'
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
  await watched.assertFitsEveryLook('an intact log')

  const file = join(app.folder, 'stakewright.db')
  // On Postgres, the tests of its own log change it in every way.
  if (!existsSync(file)) return
  using database = new DatabaseSync(file)
  database.exec('delete from audit_batches where seq = (select min(seq) + 1 from audit_batches)')
  await verify.click()
  await page.getByText(/^Not intact: .* is missing\.$/).waitFor()
  await page.getByText('Copy the store before you change anything.').waitFor()
  await watched.assertFitsEveryLook('a log that was changed')
})

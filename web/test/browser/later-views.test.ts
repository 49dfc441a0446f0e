import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import { runsAll } from '../../../test/runs-all.ts'
import { PAGES } from '../../src/pages.ts'
import { assertStill, forgetShifts, PAINTED, WATCH_SHIFTS } from '../support/layout-shifts.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import { A_WHILE_MS, openWatchedPage, type WatchedPage } from '../support/watched-page.ts'
import { openWorkingAgent } from '../support/working-agent.ts'

const EMAIL = 'root@example.com'
const ANSWERS = /\/api\/|openapi|docs\/index/

const { app, browser } = await openServiceAndBrowser(ADMIN)
const { agentId, approvalId } = await openWorkingAgent(app, EMAIL)
const { data: validators } = await app.client().validators()
const PATHS = PAGES.map(({ path }) =>
  path
    .replace('/validators/{id}', `/validators/${validators.find(({ status }) => status === 'active')?.id}`)
    .replace('{page}', 'allocation')
    .replace('{agent}/{approval}', `${agentId}/${approvalId}`)
    .replace('{id}', agentId),
)

/** Follows a link of the app; answers come one after the other, each after a paint, once the page is shown. */
async function goTo({ page, settle, quiet }: WatchedPage, path: string): Promise<void> {
  const shown = Promise.withResolvers<void>()
  let line: Promise<unknown> = shown.promise
  await page.route(ANSWERS, (route) => {
    line = line
      .then(() => page.evaluate(PAINTED))
      .then(() => route.continue())
      .then(() => page.evaluate(PAINTED))
  })
  await page.evaluate(`{
    document.querySelector('main .page').dataset.before = ''
    const link = document.body.appendChild(document.createElement('a'))
    link.href = ${JSON.stringify(path)}
    link.click()
    link.remove()
  }`)
  await page.locator('main .page:not([data-before])').waitFor()
  await page.evaluate(PAINTED)
  await forgetShifts(page)
  shown.resolve()
  await settle()
  await quiet()
  await page.unrouteAll({ behavior: 'wait' })
}

async function openSignedIn(watched: WatchedPage): Promise<Page> {
  const { page } = watched
  await page.clock.install({ time: app.clock.now() })
  await page.addInitScript(WATCH_SHIFTS)
  const token = await signIn(app, EMAIL)
  await watched.signedInAs({ name: EMAIL, token, expiresAt: app.clock.now() + 86_400_000 })
  // This page requests data that most other pages do not.
  await watched.open('/docs/limits')
  return page
}

for (const width of runsAll() ? [360, 1440] : [360])
  test(`${width} px: no layout shift after following a link, nor when the data change an epoch later`, async () => {
    const apiKey = (await app.client().sandboxKey({ agentName: 'time' })).data.apiKey
    await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width })
    const page = await openSignedIn(watched)
    for (const path of PATHS) {
      await passMinute(app)
      await goTo(watched, path)
      await assertStill(page, `${path}, on arrival`)
      await app.client({ apiKey }).sandboxAdvance({ epochs: 1 })
      await forgetShifts(page)
      const asked = page.waitForRequest(/\/health$/)
      await page.clock.fastForward(A_WHILE_MS)
      await asked
      await watched.quiet()
      await assertStill(page, `${path}, an epoch later`)
    }
  })

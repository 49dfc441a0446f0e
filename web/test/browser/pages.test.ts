import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser } from 'playwright-core'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'
import { PAGES } from '../../src/pages.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import { LOOKS, openWatchedPage, type SignedInUser } from '../support/watched-page.ts'

let app: TestApp
let browser: Browser
let agentId: string
let user: SignedInUser
const EMAIL = 'root@example.com'
openServiceAndBrowser(async (opened) => {
  app = opened.app
  browser = opened.browser
  const { id, apiKey } = await registerAgent(app, { email: EMAIL })
  await app.client({ apiKey }).usage()
  agentId = id
  user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 86_400_000 }
}, ADMIN)

async function pathFor(template: string): Promise<string> {
  if (template === '/validators/{id}') {
    const { data } = await app.client().validators()
    return `/validators/${data.find(({ status }) => status === 'active')?.id}`
  }
  if (template === '/docs/{page}') return '/docs/allocation'
  if (template.startsWith('/approve/')) return '/approve/agt_any/apr_any'
  return template
}

/** One visit per look, through all pages, as a reader goes: files are fetched once. */
for (const look of LOOKS) {
  const name = `${look.theme}, ${look.width} px`
  test(`every page, ${name}: no message, no policy report, nothing for axe, no sideways scrolling`, async () => {
    await using watched = await openWatchedPage(browser, app.url, look)
    for (const { path } of PAGES.filter((page) => !page.path.startsWith('/console'))) {
      await watched.open(await pathFor(path))
      await watched.assertFits(`${path} ${name}`)
    }
  })

  test(`the console, signed out, in and with an agent open, ${name}: the same`, async () => {
    await passMinute(app)
    await using watched = await openWatchedPage(browser, app.url, look)
    await watched.open('/console')
    await watched.assertFits(`/console signed out ${name}`)
    await watched.signedInAs(user)
    await watched.open('/console')
    await watched.assertFits(`/console ${name}`)
    await watched.open('/console?agents=approvals')
    await watched.assertFits(`/console, approvals ${name}`)
    await watched.open('/console?agents=all')
    await watched.assertFits(`/console, all agents ${name}`)
    await watched.open('/console?agents=actions')
    await watched.assertFits(`/console, actions ${name}`)
    await watched.open(`/console/${agentId}`)
    await watched.assertFits(`/console/{id} ${name}`)
  })
}

test('an unknown address and an unknown validator say what to do', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  await watched.open('/')
  await watched.page.evaluate(
    `history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await watched.page.getByText('There is no page at this address.').waitFor()
  await watched.open(`/validators/0x${'0'.repeat(64)}`)
  await watched.page.getByText('There is no validator with this id').waitFor()
  watched.assertClean('unknown addresses')
})

test('a chosen theme lasts over a reload, and wins over the system’s', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'dark', width: 1280 })
  await watched.open('/')
  const themeButton = watched.page.getByRole('button', { name: /^Theme:/ })
  await themeButton.click()
  const ground = () => watched.page.evaluate(`getComputedStyle(document.body).backgroundColor`)
  const light = await ground()
  await watched.open('/validators')
  assert.equal(await ground(), light)
  await themeButton.click()
  assert.notEqual(await ground(), light)
})

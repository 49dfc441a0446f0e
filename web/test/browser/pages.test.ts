import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../../server/test/support/test-app.ts'
import { PAGES } from '../../src/pages.ts'
import { openChromium } from './chromium.ts'
import { LOOKS, openWatchedPage } from './watched-page.ts'

let app: TestApp
let browser: Browser
let agentId: string
let user: { readonly name: string; readonly token: string; readonly expiresAt: number }
const EMAIL = 'root@example.com'
before(async () => {
  app = await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '100000', REQUEST_TIMEOUT_MS: '60000' } })
  const { id, apiKey } = await registerAgent(app, { email: EMAIL })
  await app.client({ apiKey }).usage()
  agentId = id
  user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 86_400_000 }
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  await app?.[Symbol.asyncDispose]()
})

async function pathFor(template: string): Promise<string> {
  if (template === '/validators/{id}') {
    const { data } = await app.client().validators()
    return `/validators/${data.find(({ status }) => status === 'active')?.id}`
  }
  if (template === '/docs/{page}') return '/docs/allocation'
  return template
}

/** One visit per look, through all pages, as a reader goes: files are fetched once. */
for (const look of LOOKS) {
  const name = `${look.theme}, ${look.width} px`
  test(`every page, ${name}: no message, no policy report, nothing for axe, no sideways scrolling`, async () => {
    await using watched = await openWatchedPage(browser, app.url, look)
    for (const { path } of PAGES.filter((page) => !page.path.startsWith('/console'))) {
      await watched.open(await pathFor(path))
      await checkPage(watched, `${path} ${name}`)
    }
  })

  test(`the console, signed out, in and with an agent open, ${name}: the same`, async () => {
    await using watched = await openWatchedPage(browser, app.url, look)
    await watched.open('/console')
    await checkPage(watched, `/console signed out ${name}`)
    await watched.page.addInitScript(
      `sessionStorage.setItem('stakewright.session', ${JSON.stringify(JSON.stringify({ user }))})`,
    )
    await watched.open('/console')
    await checkPage(watched, `/console ${name}`)
    await watched.open('/console?agents=all')
    await checkPage(watched, `/console, all agents ${name}`)
    await watched.open('/console?agents=actions')
    await checkPage(watched, `/console, actions ${name}`)
    await watched.open(`/console/${agentId}`)
    await checkPage(watched, `/console/{id} ${name}`)
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

async function checkPage(watched: Awaited<ReturnType<typeof openWatchedPage>>, what: string): Promise<void> {
  await watched.settle()
  await watched.assertAccessible(what)
  const sideways = await watched.page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert(Number(sideways) <= 0, `${what} scrolls sideways by ${sideways} px`)
  assert.deepEqual(await watched.page.evaluate(TINY_TEXT), [], `${what} has text that is too small to read`)
  watched.assertClean(what)
}

/** Text of drawings as it is on the screen, after their scaling. */
const TINY_TEXT = `[...document.querySelectorAll('main svg text')]
  .filter((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a < 11)
  .map((text) => text.textContent)`

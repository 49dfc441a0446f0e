import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { registerAgent, signIn } from '../../../server/test/support/registered-agent.ts'
import { PAGES } from '../../src/pages.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const EMAIL = 'root@example.com'
const { app, browser, sharePage } = await openServiceAndBrowser(ADMIN)
const { id: agentId, apiKey } = await registerAgent(app, { email: EMAIL })
await app.client({ apiKey }).usage()
const user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 86_400_000 }
const [signedOut, signedIn] = [await sharePage(), await sharePage()]
await signedIn.signedInAs(user)

async function pathFor(template: string): Promise<string> {
  if (template === '/validators/{id}') {
    const { data } = await app.client().validators()
    return `/validators/${data.find(({ status }) => status === 'active')?.id}`
  }
  if (template === '/docs/{page}') return '/docs/allocation'
  if (template.startsWith('/approve/')) return '/approve/agt_any/apr_any'
  return template
}

for (const { path } of PAGES.filter((page) => !page.path.startsWith('/console/'))) {
  test(`${path}, both themes, three widths: no console message, no CSP report, no axe violation, no sideways scrolling`, async () => {
    await signedOut.visit(await pathFor(path))
    await signedOut.assertFitsEveryLook(path)
  })
}

const VIEWS = ['', '?agents=approvals', '?agents=all', '?agents=actions', `/${agentId}`]
for (const view of VIEWS) {
  test(`/console${view.replace(agentId, '{id}')}, signed in: the same`, async () => {
    await passMinute(app)
    await signedIn.visit(`/console${view}`)
    await signedIn.assertFitsEveryLook(`/console${view}`)
  })
}

test('on the narrowest phone the list of agents shows usage, last use and policy of each, all in sight', async () => {
  await passMinute(app)
  const { page } = signedIn
  await signedIn.resize(360)
  const { data } = await app.client({ token: user.token }).readAgent({ id: agentId })
  for (const view of ['', '?agents=all']) {
    await signedIn.visit(`/console${view}`)
    const row = page.getByRole('row', { name: data.agentName })
    for (const fact of [
      `${data.used.rpd} of ${data.rateLimits.rpd} requests today`,
      'last',
      'no policy',
      'active',
    ]) {
      const box = await row.getByText(fact).first().boundingBox()
      assert(box && box.x >= 0 && box.x + box.width <= 360, `${view}: ${fact} is at ${JSON.stringify(box)}`)
    }
    await signedIn.assertFits(`/console${view}`)
  }
})

test('an unknown address and an unknown validator say what to do', async () => {
  await signedOut.visit(`/validators/0x${'0'.repeat(64)}`)
  await signedOut.page.getByText('There is no validator with this id').waitFor()
  await signedOut.page.evaluate(
    `history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await signedOut.page.getByText('There is no page at this address.').waitFor()
  signedOut.assertClean('unknown addresses')
})

test('the page of an unknown URL fits every look, and links to each page of the navigation', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.open('/validatros')
  // The browser logs every answer that is not 2xx.
  assert(watched.takeMessages().every((message) => message.includes('404')))
  await watched.assertFitsEveryLook('a mistyped address')
  for (const link of await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()) {
    const { status } = await fetch(new URL((await link.getAttribute('href')) ?? '', app.url))
    assert.equal(status, 200, (await link.textContent()) ?? '')
  }
  await page.getByRole('link', { name: 'Validators' }).click()
  await page.getByRole('heading', { level: 1, name: 'Validators' }).waitFor()
})

test('a chosen theme survives a reload, overrides that of the system, and is that of all tabs', async () => {
  await using watched = await openWatchedPage(browser, app.url, { theme: 'dark', width: 1280 })
  await watched.open('/')
  const themeButton = watched.page.getByRole('button', { name: /^Theme:/ })
  await themeButton.click()
  const ground = () => watched.page.evaluate(`getComputedStyle(document.body).backgroundColor`)
  const light = await ground()
  await watched.open('/validators')
  assert.equal(await ground(), light)
  const other = await watched.context.newPage()
  await other.goto('/')
  await other.locator('html[data-theme="light"]').waitFor()
  await themeButton.click()
  assert.notEqual(await ground(), light)
  await other.locator('html[data-theme="dark"]').waitFor()
  await other.getByRole('button', { name: 'Theme: dark' }).waitFor()
})

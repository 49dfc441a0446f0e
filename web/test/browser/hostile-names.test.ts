import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Browser, Page, Route } from 'playwright-core'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import type { TestApp } from '../../../server/test/support/test-app.ts'
import { PAGES } from '../../src/pages.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts'

const ROOT = 'root@example.com'
const WIDTHS = [360, 768, 1440] as const
const HOSTILE = [
  '<img src=x onerror=console.log(1)>',
  '<script>console.log(2)</script>',
  'שלום العالم عكس الاتجاه',
  '🦄'.repeat(64),
  `"'\`\${1}--></title>&lt;b&gt;`,
  'W'.repeat(64),
] as const
/** The service refuses these marks in names of agents; a chain may have them. */
const TURNING = '\u202Eגב\u2066'.repeat(12)
const OF_VALIDATORS = [...HOSTILE, TURNING]
/** Of the names, those that take most room: their own pages are looked at. */
const WIDEST = [3, 5]

let app: TestApp
let browser: Browser
let agentIds: readonly string[]
let names: ReadonlyMap<string, string>
let validatorIds: readonly string[]
let session: string
let approvalPaths: readonly string[]
openServiceAndBrowser(async (opened) => {
  app = opened.app
  browser = opened.browser
  const made: { readonly id: string; readonly apiKey: string }[] = []
  for (const agentName of HOSTILE) {
    const { data } = await app.client().sandboxKey({ agentName })
    await app.client({ apiKey: data.apiKey }).usage()
    made.push(data)
  }
  const widest = WIDEST.flatMap((index) => made[index] ?? [])
  agentIds = widest.map(({ id }) => id)
  const { data } = await app.client().validators()
  names = new Map(data.map(({ name }, index) => [name, OF_VALIDATORS[index % OF_VALIDATORS.length] ?? '']))
  validatorIds = [...WIDEST, HOSTILE.length].flatMap((index) => data[index]?.id ?? [])
  const user = { name: ROOT, token: await signIn(app, ROOT), expiresAt: Date.now() + 86_400_000 }
  session = JSON.stringify({ user })
  approvalPaths = await Promise.all(widest.map((agent) => askForApproval(agent, user.token)))
}, ADMIN)

/** Holds an agent to rules that name validators, and has it ask to stake with all of them; returns the page of that. */
async function askForApproval(
  { id, apiKey }: { readonly id: string; readonly apiKey: string },
  token: string,
): Promise<string> {
  const admin = app.client({ token })
  const rules = [
    { rule: 'actions', allow: ['stake'] } as const,
    { rule: 'validators', allow: [...validatorIds] } as const,
    { rule: 'approvalAbove', amount: '1' } as const,
  ]
  await admin.writePolicy({ id, rules })
  const items = validatorIds.map((validatorId) => ({
    action: 'stake' as const,
    validatorId,
    amount: '123456789012345678',
  }))
  await assert.rejects(app.client({ apiKey }).buildBatch({ items }), { code: 'approval_needed' })
  const { data } = await admin.listApprovals({ id })
  return `/approve/${id}/${data[0]?.approvalId}`
}

/** The simulated chain chooses its own names: every answer of the API is changed on its way. */
async function renameValidators(route: Route): Promise<void> {
  const { 'if-none-match': _, ...headers } = route.request().headers()
  const response = await route.fetch({ headers })
  let body = await response.text()
  for (const [plain, hostile] of names)
    body = body.replaceAll(JSON.stringify(plain).slice(1, -1), () => JSON.stringify(hostile).slice(1, -1))
  await route.fulfill({ response, body })
}

async function assertInert({ page, assertClean }: WatchedPage, what: string): Promise<void> {
  assert.equal(await page.locator('main img, main script').count(), 0, what)
  const wide = await page.evaluate(SIDEWAYS)
  assert.deepEqual(wide, [], `${what} scrolls sideways`)
  assertClean(what)
}

/** What reaches beyond the window, if the window scrolls. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
  return [scrollWidth - clientWidth, ...wide.slice(0, 8).map((one) => one.tagName + '.' + one.getAttribute('class') + ' ' + one.textContent.slice(0, 30))]
})()`

const pathsOf = (template: string): readonly string[] => {
  if (template === '/validators/{id}') return validatorIds.map((id) => `/validators/${id}`)
  if (template === '/console/{id}') return agentIds.map((id) => `/console/${id}`)
  if (template === '/console') return ['/console?agents=all', '/console?agents=actions']
  if (template.startsWith('/approve/')) return approvalPaths
  if (template === '/docs/{page}') return ['/docs/allocation']
  if (template === '/validators') return ['/validators?show=all']
  if (template === '/allocate')
    return [`/allocate?validators=20&exclude=${validatorIds.join(',')}`, '/allocate?validators=12']
  return [template]
}

for (const width of WIDTHS) {
  test(`hostile names on every page, ${width} px: inert, and no page scrolls sideways`, async () => {
    await passMinute(app)
    await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width })
    const { page } = watched
    await page.addInitScript(`sessionStorage.getItem('stakewright.session') ??
      sessionStorage.setItem('stakewright.session', ${JSON.stringify(session)})`)
    await page.route('**/api/v1/**', renameValidators)
    for (const path of PAGES.flatMap((row) => pathsOf(row.path))) {
      await watched.open(path)
      await page.locator('.answer[data-pending="true"]').waitFor({ state: 'detached' })
      await assertInert(watched, `${path}, ${width} px`)
      await showTables(page)
      await assertInert(watched, `${path} as tables, ${width} px`)
    }
    await planExample(watched)
    await assertInert(watched, `a plan, ${width} px`)
    await readDraft(watched)
    await assertInert(watched, `a transaction, ${width} px`)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}

test('hostile names are shown as they are', async () => {
  await passMinute(app)
  await using watched = await openWatchedPage(browser, app.url, { theme: 'light', width: 390 })
  const { page } = watched
  await page.addInitScript(`sessionStorage.setItem('stakewright.session', ${JSON.stringify(session)})`)
  await page.route('**/api/v1/**', renameValidators)
  await watched.open('/console?agents=all')
  for (const name of HOSTILE)
    assert.equal(await page.locator('bdi', { hasText: name }).first().textContent(), name)
  await watched.open('/validators?show=all')
  for (const name of OF_VALIDATORS)
    assert.equal(await page.locator('bdi', { hasText: name }).first().textContent(), name)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

async function showTables(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Show as table' })
  for (let left = await buttons.count(); left > 0; left--) await buttons.first().click()
}

async function planExample({ page, open }: WatchedPage): Promise<void> {
  await open('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'Where it is now' }).waitFor()
}

async function readDraft({ page, open }: WatchedPage): Promise<void> {
  await open('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText('Read before you sign').waitFor()
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { ADMIN } from '../../../server/test/support/builder-agent.ts'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import { PAGES } from '../../src/pages.ts'
import { openServiceAndBrowser, passMinute } from '../support/service-and-browser.ts'
import type { WatchedPage } from '../support/watched-page.ts'

const ROOT = 'root@example.com'
const WIDTHS = [320, 360, 820, 1280] as const
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
const OF_VALIDATORS = [...HOSTILE, TURNING, 'm'.repeat(80)]
/** The indexes of the widest names, whose own pages are checked. */
const WIDEST = [3, 5]

const { app, sharePage } = await openServiceAndBrowser(ADMIN)
const { agentIds, names, validatorIds, session, approvalPaths } = await nameAll()

/** Makes agents with hostile names that ask for approvals, and maps names of validators to hostile ones. */
async function nameAll() {
  const made: { readonly id: string; readonly apiKey: string }[] = []
  for (const agentName of HOSTILE) {
    const { data } = await app.client().sandboxKey({ agentName })
    await app.client({ apiKey: data.apiKey }).usage()
    made.push(data)
  }
  const widest = WIDEST.flatMap((index) => made[index] ?? [])
  const { data } = await app.client().validators()
  const chosen = [...WIDEST, HOSTILE.length].flatMap((index) => data[index]?.id ?? [])
  const user = { name: ROOT, token: await signIn(app, ROOT), expiresAt: Date.now() + 86_400_000 }
  return {
    agentIds: widest.map(({ id }) => id),
    names: new Map(data.map(({ name }, index) => [name, OF_VALIDATORS[index % OF_VALIDATORS.length] ?? ''])),
    validatorIds: chosen,
    session: JSON.stringify({ user }),
    approvalPaths: await Promise.all(widest.map((agent) => askForApproval(agent, user.token, chosen))),
  }
}

/** Sets a policy that names validators, has the agent ask to stake with all of them, and returns the approval's path. */
async function askForApproval(
  { id, apiKey }: { readonly id: string; readonly apiKey: string },
  token: string,
  validators: readonly string[],
): Promise<string> {
  const admin = app.client({ token })
  const rules = [
    { rule: 'actions', allow: ['stake'] } as const,
    { rule: 'validators', allow: [...validators] } as const,
    { rule: 'approvalAbove', amount: '1' } as const,
  ]
  await admin.writePolicy({ id, rules })
  const items = validators.map((validatorId) => ({
    action: 'stake' as const,
    validatorId,
    amount: '123456789012345678',
  }))
  await assert.rejects(app.client({ apiKey }).buildBatch({ items }), { code: 'approval_needed' })
  const { data } = await admin.listApprovals({ id })
  return `/approve/${id}/${data[0]?.approvalId}`
}

/** Replaces the names in every answer of the API, because the simulated chain chooses its own names. */
async function renameValidators(route: Route): Promise<void> {
  const { 'if-none-match': _, ...headers } = route.request().headers()
  // On a busy machine a request may use a connection that the service has just closed as idle.
  const response = await route.fetch({ headers, maxRetries: 3 })
  let body = await response.text()
  for (const [plain, hostile] of names)
    body = body.replaceAll(JSON.stringify(plain).slice(1, -1), () => JSON.stringify(hostile).slice(1, -1))
  await route.fulfill({ response, body })
}

async function assertInert({ page, assertClean }: WatchedPage, what: string): Promise<void> {
  assert.equal(await page.locator('main img, main script').count(), 0, what)
  const wide = await page.evaluate(SIDEWAYS)
  assert.deepEqual(wide, [], `${what} scrolls sideways`)
  assert.deepEqual(await page.evaluate(PUSHED_OUT), [], `${what} has columns that are out of sight`)
  assertClean(what)
}

/** The elements that reach beyond the window, if it scrolls sideways. */
const SIDEWAYS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const wide = [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
  return [scrollWidth - clientWidth, ...wide.slice(0, 8).map((one) => one.tagName + '.' + one.getAttribute('class') + ' ' + one.textContent.slice(0, 30))]
})()`

/** The tables that are wider than their container, each with the excess. */
const PUSHED_OUT = `[...document.querySelectorAll('.table-wrap')]
  .filter((table) => table.scrollWidth > table.clientWidth + 1)
  .map((table) => table.getAttribute('aria-label') + ' by ' + (table.scrollWidth - table.clientWidth))`

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

/** A signed-in page with hostile names in every answer. */
const renamed = await sharePage({ theme: 'light', width: WIDTHS[0] })
await renamed.page.addInitScript(`sessionStorage.getItem('stakewright.session') ??
  sessionStorage.setItem('stakewright.session', ${JSON.stringify(session)})`)
await renamed.page.route('**/api/v1/**', renameValidators)

/** Checks the loaded page at every width: only its layout depends on the width. */
async function assertInertEverywhere(watched: WatchedPage, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await watched.resize(width)
    await assertInert(watched, `${what}, ${width} px`)
  }
}

for (const { path: template } of PAGES) {
  test(`hostile names on ${template}: inert, and it does not scroll sideways`, async () => {
    await passMinute(app)
    for (const path of pathsOf(template)) {
      await renamed.visit(path)
      await renamed.page.locator('.answer[data-pending="true"]').waitFor({ state: 'detached' })
      await assertInertEverywhere(renamed, path)
      await showTables(renamed.page)
      await assertInertEverywhere(renamed, `${path} as tables`)
    }
  })
}

test('hostile names in a plan and in a transaction: inert, and nothing scrolls sideways', async () => {
  await passMinute(app)
  await planExample(renamed)
  await assertInertEverywhere(renamed, 'a plan')
  await readDraft(renamed)
  await assertInertEverywhere(renamed, 'a transaction')
})

test('hostile names are shown as they are', async () => {
  const { page, visit } = renamed
  await visit('/console?agents=all')
  for (const name of HOSTILE)
    assert.equal(await page.locator('bdi', { hasText: name }).first().textContent(), name)
  await visit('/validators?show=all')
  for (const name of OF_VALIDATORS)
    assert.equal(await page.locator('bdi', { hasText: name }).first().textContent(), name)
})

async function showTables(page: Page): Promise<void> {
  const buttons = page.getByRole('button', { name: 'Show as table' })
  for (let left = await buttons.count(); left > 0; left--) await buttons.first().click()
}

async function planExample({ page, visit }: WatchedPage): Promise<void> {
  await visit('/rebalance')
  await page.getByRole('button', { name: 'Try an example' }).click()
  await page.getByRole('heading', { name: 'Where it is now' }).waitFor()
}

async function readDraft({ page, visit }: WatchedPage): Promise<void> {
  await visit('/sandbox')
  await page.getByRole('button', { name: 'Build the transaction' }).click()
  await page.getByText('Read before you sign').waitFor()
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { ADMIN } from '../../../../server/test/support/builder-agent.ts'
import { ME, TEN } from '../../../../server/test/support/holdings.ts'
import { registerAgent, signIn } from '../../../../server/test/support/registered-agent.ts'
import { PAGES } from '../../../src/pages.ts'
import { assertPlainWords } from '../../support/api-words.ts'
import { openServiceAndBrowser, passMinute } from '../../support/service-and-browser.ts'
import { openWatchedPage } from '../../support/watched-page.ts'

const EMAIL = 'root@example.com'
const { app, browser, sharePage } = await openServiceAndBrowser(ADMIN)
const { id: agentId, apiKey } = await registerAgent(app, { email: EMAIL })
const user = { name: EMAIL, token: await signIn(app, EMAIL), expiresAt: Date.now() + 86_400_000 }
const approvalPath = await askForApproval()

/** Gives the agent a named key and a policy, and has it ask for an approval. */
async function askForApproval(): Promise<string> {
  const owner = app.client({ token: user.token })
  await owner.createKey({ id: agentId, name: 'ci' })
  await owner.writePolicy({
    id: agentId,
    rules: [
      { rule: 'actions', allow: ['stake'] },
      { rule: 'approvalAbove', amount: '1' },
    ],
  })
  const { data } = await app.client().validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const wish = { validatorId, amount: TEN, sender: ME }
  await assert.rejects(app.client({ apiKey }).buildStake(wish), { code: 'approval_needed' })
  const approvals = await owner.listApprovals({ id: agentId })
  return `/approve/${agentId}/${approvals.data[0]?.approvalId}`
}

async function pathsOf(template: string): Promise<readonly string[]> {
  const { data } = await app.client().validators()
  if (template === '/validators/{id}')
    return ['active', 'candidate'].map(
      (state) => `/validators/${data.find(({ status }) => status === state)?.id}`,
    )
  if (template === '/console')
    return [
      '/console',
      '/console?agents=approvals',
      '/console?agents=all&visitors=yes',
      '/console?agents=actions',
    ]
  if (template === '/console/{id}') return [`/console/${agentId}`]
  if (template.startsWith('/approve/')) return [approvalPath]
  return [template]
}

const read = await sharePage()
await read.signedInAs(user)
for (const { path: template } of PAGES.filter(({ path }) => !path.startsWith('/docs'))) {
  test(`${template} shows people no identifier of the API`, async () => {
    await passMinute(app)
    for (const path of await pathsOf(template)) {
      await read.visit(path)
      await assertPlainWords(read.page, path)
    }
  })
}

/** A message with fields and calls as the service writes them. */
const MESSAGE =
  '`agentName` is wrong. `allowedNetworks[0]` must be one of those in minStakeAmount of GET /api/v1/agents. Use POST /api/v1/agents/{id}/keys.'
const FIELDS = [
  'agentName',
  'allowedNetworks[0]',
  'positions[0].principal',
  'rateLimits.rpm',
  'rules[2].maxPerTx',
]

/** Answers reads, and refuses everything else. */
async function refuse(route: Route): Promise<void> {
  const request = route.request()
  const isRefused = request.method() !== 'GET' || request.url().includes('/positions')
  if (!isRefused || request.url().endsWith('/sandbox/keys')) return route.continue()
  const details = FIELDS.map((field) => ({ field, message: `must be a \`maxShare\` of ${field}` }))
  await route.fulfill({
    status: 400,
    json: { error: 'invalid_input', message: MESSAGE, status: 400, requestId: 'one', details },
  })
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Every form and button that sends a request, used up to the refusal. */
const FORMS: readonly (readonly [path: string, use: (page: Page) => Promise<unknown>])[] = [
  ['/allocate', async () => undefined],
  ['/rebalance', (page) => press(page, 'Try an example')],
  [
    '/rebalance',
    async (page) => {
      await page.getByLabel('Address that owns the stake').fill('0x1')
      await press(page, 'Load')
    },
  ],
  ['/sandbox', (page) => press(page, 'Build the transaction')],
  ['/sandbox', (page) => press(page, 'Advance 1 epoch')],
  [
    '/console',
    async (page) => {
      await press(page, 'Register an agent')
      await page.getByLabel('Name').fill('any')
      await press(page, 'Register')
    },
  ],
  [
    `/console/${agentId}`,
    async (page) => {
      await press(page, 'Add a named key')
      await page.getByLabel('Name', { exact: true }).fill('any')
      await press(page, 'Make the key')
    },
  ],
  ...[
    ['Rotate the key', 'Rotate now'],
    ['Suspend', 'Suspend now'],
    ['Set limits', 'Set these limits'],
    ['Revoke', 'Revoke for good'],
    ['Pause', 'Pause now'],
  ].map(
    ([first = '', second = '']) =>
      [
        `/console/${agentId}`,
        async (page: Page) => {
          await press(page, first)
          await press(page, second)
        },
      ] as const,
  ),
  [
    approvalPath,
    async (page) => {
      await press(page, 'Approve')
      await press(page, 'Approve it now')
    },
  ],
  ['/console/second-factor', (page) => press(page, 'Set up an authenticator app')],
]

test('a refusal of a form is explained with the labels of the form, on every page', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await watched.signedInAs(user)
  await page.route('**/api/v1/**', refuse)
  for (const [path, use] of FORMS) {
    await passMinute(app)
    // Not `open`: the sandbox waits for positions, which are refused.
    await page.goto(path)
    await page.locator('.starting').waitFor({ state: 'detached' })
    await page.locator('h1').first().waitFor()
    await use(page)
    await page.getByRole('alert').filter({ hasText: 'must be' }).first().waitFor()
    await assertPlainWords(page, `${path} refused`)
  }
  await page.unrouteAll({ behavior: 'wait' })
})

test('a refused sign-in is explained with the labels of its form', async () => {
  await passMinute(app)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  await page.route('**/api/v1/**', refuse)
  await watched.open('/console')
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await press(page, 'Send me a code')
  await page.getByRole('alert').waitFor()
  await assertPlainWords(page, 'a sign-in')
  await press(page, 'Sign with a play wallet')
  await page.getByRole('alert').nth(1).waitFor()
  await assertPlainWords(page, 'a sign-in by wallet')
  await page.unrouteAll({ behavior: 'wait' })
})

test('a real refusal is shown at its field', async () => {
  await passMinute(app)
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  // Admins change things only shortly after their sign-in, and minutes have passed here.
  await watched.signedInAs({ ...user, token: await signIn(app, EMAIL) })
  await watched.open(`/console/${agentId}`)
  await press(page, 'Add a named key')
  await page.getByLabel('Name', { exact: true }).fill('far away')
  await page.getByLabel('Accepted from').fill('203.0.113.0/24, nowhere')
  await press(page, 'Make the key')
  const field = page.getByLabel('Accepted from')
  await page.getByText(/^Number 2 must be a network such as/).waitFor()
  assert.match((await field.getAttribute('aria-describedby')) ?? '', /-problem$/)
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), null)
  await watched.open('/allocate?share=0.05&validators=5')
  // The page checks this limit itself, and sends no request that would be refused.
  await page.getByText('5 validators with at most 5% each hold only 25% of the amount.').waitFor()
  await page.getByRole('button', { name: 'Allow 20% each' }).waitFor()
  await assertPlainWords(page, 'a share that is too small')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, ROUTES } from '@stakewright/contract'
import type { Page } from 'playwright-core'
import { signIn } from '../../../server/test/support/registered-agent.ts'
import { openServiceAndBrowser } from '../support/service-and-browser.ts'
import { waitUntil } from '../support/wait-until.ts'
import { openWatchedPage } from '../support/watched-page.ts'

const { app, browser, sharePage } = await openServiceAndBrowser()
const calling = await sharePage()

type Example = { readonly name: EndpointName; readonly input: object; readonly answer: unknown }
type Described = {
  readonly operationId: EndpointName
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >
}

/** The operations that take a body, with the request that the description of the API gives for each. */
async function examplesWithBody(): Promise<readonly Example[]> {
  const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: name, parameters = [], requestBody, responses }) => {
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      const answer = Object.values(success?.content ?? {})[0]?.example
      const body = requestBody?.content['application/json']?.example
      const inPath = parameters.filter((one) => one.in === 'path').map((one) => [one.name, one.example])
      return requestBody ? [{ name, input: { ...Object.fromEntries(inPath), ...body }, answer }] : []
    })
}

/** Opens an endpoint by its link, without a reload. */
const openEndpoint = async (page: Page, name: EndpointName) => {
  const { method, path } = ROUTES[name]
  await page.locator(`main a[href="/docs?endpoint=${name}"]`).first().click()
  // A path may break after its slashes, so it is not one piece of text.
  await page.locator(`.endpoint-line:has([data-method="${method}"])`).waitFor()
  await waitUntil(
    page,
    `document.querySelector('.endpoint-line code')?.textContent === ${JSON.stringify(path)}`,
  )
}

const shownExample = async (page: Page): Promise<unknown> =>
  JSON.parse(await page.getByLabel('Input').inputValue())

/** The example answer is the second block of code. */
const shownAnswer = async (page: Page): Promise<unknown> =>
  JSON.parse((await page.locator('section:has(> h3:text("Example answer")) pre').textContent()) ?? '')

test('every operation with a body shows the example of the API’s description, in each language', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const token = await signIn(app, 'reader@example.com')
  await watched.signedInAs({ name: 'reader@example.com', token, expiresAt: Date.now() + 3_600_000 })
  await watched.open('/docs')
  const examples = await examplesWithBody()
  assert(examples.length > 20, `${examples.length} operations`)
  for (const { name, input, answer } of examples) {
    await openEndpoint(page, name)
    assert.deepEqual(await shownExample(page), input, name)
    assert(answer !== undefined, `${name} has an answer of the service`)
    assert.deepEqual(await shownAnswer(page), answer, name)
    const { method, path, auth } = ROUTES[name]
    const inBody = Object.entries(input).filter(([field]) => !path.includes(`{${field}}`))
    const curl = (await page.getByRole('tabpanel').textContent()) ?? ''
    assert(curl.includes(`curl -X ${method} '${app.url}/api/v1/`), name)
    assert(curl.includes(JSON.stringify(Object.fromEntries(inBody))), `${name}: ${curl}`)
    assert.equal(curl.includes('X-API-Key: $KEY'), auth === 'agent-key', name)
    assert.equal(curl.includes('Authorization: Bearer $TOKEN'), auth === 'user-token', name)
    const isTool = auth !== 'user-token' && !path.startsWith('/api/v1/auth/')
    assert.equal(await page.getByRole('tab', { name: 'MCP' }).count(), isTool ? 1 : 0, name)
  }
  watched.assertClean('reference')
})

/** Its example needs a transaction that the caller has built. */
const NEEDS_OWN = ['releaseReservation']

test('“Send” makes the call with a key that is stored only in the tab', async () => {
  const { page, context } = calling
  const sent = new Set<string | undefined>()
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/agent/'))
      sent.add(request.headers()['x-api-key'])
    assert.doesNotMatch(request.url(), /stk_/)
  })
  const keyed = (await examplesWithBody()).filter(
    ({ name }) => ROUTES[name].auth === 'agent-key' && !NEEDS_OWN.includes(name),
  )
  assert(keyed.length > 5)
  await calling.visit('/docs')
  for (const { name } of keyed) {
    await openEndpoint(page, name)
    await page.getByRole('button', { name: 'Send' }).click()
    const status = page.getByRole('status').filter({ hasText: /ms$/ })
    assert.match((await status.textContent()) ?? '', /^Answered/, name)
  }
  const [kept] = [...sent]
  assert.equal(sent.size, 1)
  assert.match(kept ?? '', /^stk_/)
  assert(String(await page.evaluate('JSON.stringify(sessionStorage)')).includes(kept ?? '?'))
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /stk_/)
  assert.doesNotMatch(JSON.stringify(await context.cookies()), /stk_/)
  assert.doesNotMatch(page.url(), /stk_/)

  const other = await context.newPage()
  await other.goto('/docs')
  assert.doesNotMatch(String(await other.evaluate('JSON.stringify(sessionStorage)')), /stk_/)
  calling.assertClean('try it')
})

test('if no sandbox key can be made, the user’s own key is used, and no copy of it is left behind', async () => {
  await using watched = await openWatchedPage(browser, app.url)
  const { page } = watched
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'own' })).data
  const refusal = { code: 'forbidden', message: 'No more keys today.', retryable: false }
  const body = JSON.stringify(refusal)
  await page.route('**/sandbox/keys', (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body }),
  )
  await watched.open('/docs')
  await openEndpoint(page, 'allocate')
  await page.getByLabel('API key').fill('two words')
  await page.getByRole('button', { name: 'Use this key' }).click()
  await page.getByText('This cannot be a key').waitFor()
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Use this key' }).click()
  const [request] = await Promise.all([
    page.waitForRequest(/\/agent\/allocate$/),
    page.getByRole('button', { name: 'Send' }).click(),
  ])
  assert.equal(request.headers()['x-api-key'], apiKey)
  await page.getByText(/^Answered in/).waitFor()
  assert(!String(await page.content()).includes(apiKey))
  assert(!String(await page.evaluate('JSON.stringify(localStorage)')).includes(apiKey))
})

test('a late answer is not shown beside a changed input, and a call in progress cannot be sent again', async () => {
  const { page } = calling
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const path = ROUTES.validator.path.replace('{id}', '*')
  await page.route(`**${path}`, async (route) => {
    await released
    await route.continue()
  })
  await calling.visit('/docs')
  await openEndpoint(page, 'validator')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('[aria-disabled="true"]', { hasText: 'Waiting' }).waitFor()
  await page.getByLabel('Input').fill('{ "id": "0x1" }')
  const answered = page.waitForResponse(`**${path}`)
  release()
  await answered
  await page.getByRole('button', { name: 'Send' }).waitFor()
  assert.equal(await page.getByText(/^(Answered|Refused) in/).count(), 0)
})

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { openServiceAndBrowser } from '../../web/test/support/service-and-browser.ts'
import { openWatchedPage } from '../../web/test/support/watched-page.ts'
import { runsAll } from '../runs-all.ts'

type Operation = {
  readonly operationId: string
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } }
}
type Described = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

const { app, browser } = await openServiceAndBrowser()
const viewer = await serveSwaggerUi(app.url)
after(() => viewer[Symbol.asyncDispose]())
const watched = await openWatchedPage(browser, viewer.url)
const { page } = watched
// No timeout here, because the test runner has one.
page.setDefaultTimeout(0)
const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as Described
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
const withBody = operations.flatMap(({ operationId, requestBody }) =>
  requestBody ? [{ operationId, requestBody }] : [],
)

suite('Swagger UI, from another origin,', () => {
  test('lists every operation', async () => {
    assert.deepEqual(await shownOperations('/'), names(operations))
  })

  // A test for each operation, because Swagger UI resolves the whole document again for every one that is opened.
  for (const { operationId, requestBody } of withBody.filter((_, index) => runsAll() || index % 5 === 0)) {
    test(`shows the body of ${operationId} with its example`, async () => {
      assert.deepEqual(await shownOperations(`/?operation=${operationId}`), [operationId])
      await page.locator('.opblock-summary-control').click()
      await page.locator('.responses-wrapper').waitFor()
      const text = await page.locator('.opblock-section-request-body .body-param__example').textContent()
      assert.deepEqual(JSON.parse(text ?? ''), requestBody.content['application/json'].example)
      await assertNoErrors()
    })
  }
})

const names = (all: readonly Operation[]) => all.map(({ operationId }) => operationId).sort()

async function assertNoErrors(): Promise<void> {
  assert.deepEqual(await page.locator('.errors-wrapper .error-wrapper').allTextContents(), [])
  watched.assertClean(page.url())
}

async function shownOperations(path: string): Promise<readonly string[]> {
  await page.goto(path)
  await page.locator('.opblock').first().waitFor()
  await assertNoErrors()
  const ids = await page.evaluate(`[...document.querySelectorAll('.opblock')].map(({ id }) => id)`)
  return (ids as string[]).map((id) => id.slice(id.lastIndexOf('-') + 1)).sort()
}

/** Serves the page from the package's documentation on a port of its own; its query is passed on to /openapi.json. */
async function serveSwaggerUi(service: string) {
  const require = createRequire(import.meta.url)
  const bundle = await readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js'))
  const server = createServer(({ url }, response) => {
    const [type, content] =
      url === '/bundle.js' ? (['javascript', bundle] as const) : (['html', pageFor(service)] as const)
    response.writeHead(200, { 'content-type': `text/${type}; charset=utf-8` }).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const pageFor = (service: string) => `<!doctype html>
<link rel="icon" href="data:,">
<div id="ui"></div>
<script src="/bundle.js"></script>
<script>SwaggerUIBundle({ url: '${service}/openapi.json' + location.search, dom_id: '#ui' })</script>`

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib'
import { ROUTES } from '@stakewright/contract'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { PAGES, type PageRow } from '../src/pages.ts'

let app: TestApp
before(async () => {
  app = await openTestApp({ env: { LIMIT_IP_RPM: '20' } })
})
after(() => app[Symbol.asyncDispose]())

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const getPage = (path: string) => fetch(app.url + path, { headers: HTML })

async function fileUrls(path: string): Promise<readonly string[]> {
  const html = await (await getPage(path)).text()
  return [...html.matchAll(/(?:href|src)="(\/web\/[^"]+)"/g)].map(([, url = '']) => app.url + url)
}

test('browsers get a page at /, programs a description of the service', async () => {
  const page = await getPage('/')
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const described = await fetch(`${app.url}/`)
  const body = toRecord(await described.json())
  assert.equal(body['name'], 'Stakewright')
  assert.equal(body['network'], 'sandbox')
  assert.match(String(body['version']), /^\d+\.\d+\.\d+$/)
  assert.equal(body['mcp'], '/mcp')
  assert.equal(body['register'], ROUTES.selfRegister.path)
  for (const answer of [page, described]) assert.match(answer.headers.get('vary') ?? '', /accept/)
})

test('every URL that / names to programs answers', async () => {
  await using other = await openTestApp()
  const body = toRecord(await (await fetch(other.url)).json())
  const { quickstart, mcp, register, ...read } = body
  const addresses = Object.values(read).map(String)
  for (const path of addresses.filter((value) => value.startsWith('/')))
    assert.equal((await fetch(other.url + path)).status, 200, path)
  const called = (quickstart as readonly { readonly path: string }[]).map(({ path }) => path)
  assert(addresses.includes('/docs') && addresses.includes('/openapi.json') && called.length > 2)
  const headers = { 'content-type': 'application/json' }
  for (const path of [mcp, register, ...called].map(String)) {
    const { status } = await fetch(other.url + path, { method: 'POST', headers, body: '{}' })
    assert([400, 401].includes(status), `${path}: ${status}`)
  }
})

/** The page of a guide exists only for a known name; the page of an id always exists. */
const exampleOf = (template: string) => template.replace('{page}', 'limits').replaceAll(/\{\w+\}/g, 'x')

const toRecord = (value: unknown) => value as Record<string, unknown>

test('every page is one document, whose content security policy admits its inline script by hash and nothing else', async () => {
  for (const { path } of PAGES) {
    const answer = await getPage(exampleOf(path))
    assert.equal(answer.status, 200, path)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const html = await answer.text()
    const inline = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)]
    assert.equal(inline.length, 1)
    for (const [, code = ''] of inline) {
      const hash = createHash('sha256').update(code).digest('base64')
      assert(policy.includes(`'sha256-${hash}'`), 'the inline script is admitted by its hash')
    }
    assert.match(policy, /^default-src 'none';.*require-trusted-types-for 'script'/)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.doesNotMatch(html, /\bstyle="|\son\w+=|https?:\/\//)
  }
})

const NAV: readonly PageRow[] = PAGES
/** The links of the navigation: paths and names. */
function navigationOf(html: string): readonly (readonly string[])[] {
  const [, links = ''] = /<nav[^>]*aria-label="Pages"[^>]*>([\s\S]*?)<\/nav>/.exec(html) ?? []
  return [...links.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, path = '', name = '']) => [
    path,
    name,
  ])
}

test('before any script a page has its title and navigation, and says what to do without JavaScript', async () => {
  const links = new Set<string>()
  for (const { path, title } of PAGES) {
    const html = await (await getPage(exampleOf(path))).text()
    assert(html.includes(`<h1>${title}</h1>`), path)
    assert.deepEqual(
      navigationOf(html),
      NAV.flatMap((row) => (row.nav === undefined ? [] : [[row.path, row.nav]])),
    )
    const [, without = ''] = /<noscript>([\s\S]*)<\/noscript>/.exec(html) ?? []
    assert.match(without, /needs JavaScript.*README/s)
    for (const [, to = ''] of without.matchAll(/href="([^"]+)"/g)) links.add(to)
  }
  assert(links.has('/openapi.json'))
  for (const link of links) assert.equal((await fetch(app.url + link)).status, 200, link)
})

test('a page that has not changed costs a 304', async () => {
  const etag = (await getPage('/validators')).headers.get('etag') ?? ''
  const again = await fetch(`${app.url}/validators`, { headers: { ...HTML, 'if-none-match': etag } })
  assert.equal(again.status, 304)
})

test('every file of a page exists under a URL with its content hash, and is cached for ever', async () => {
  const pages = await Promise.all(PAGES.map(({ path }) => fileUrls(exampleOf(path))))
  for (const url of new Set(pages.flat())) {
    const answer = await fetch(url)
    assert.equal(answer.status, 200, url)
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    assert.doesNotMatch(await answer.text(), /^import type/m)
  }
  const [, first = ''] = await fileUrls('/')
  assert.equal((await fetch(first.replace(/web\/[0-9a-f]+\//, 'web/0000000000000000/'))).status, 404)
})

test('files come in the smallest encoding that the client accepts', async () => {
  const [url = ''] = (await fileUrls('/')).filter((one) => one.endsWith('main.ts'))
  const raw = async (encoding: string) => {
    const { get } = await import('node:http')
    return new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
      get(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks) })
      }).on('error', reject)
    })
  }
  const plain = await raw('identity')
  const brotli = await raw('gzip, deflate, br')
  const gzip = await raw('gzip, br;q=0')
  assert.deepEqual([plain.encoding, brotli.encoding, gzip.encoding], [undefined, 'br', 'gzip'])
  assert.deepEqual(brotliDecompressSync(brotli.bytes), plain.bytes)
  assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes)
  assert(brotli.bytes.length <= gzip.bytes.length && gzip.bytes.length < plain.bytes.length)
})

test('pages and files are not counted by the limit per address', async () => {
  for (let each = 0; each < 30; each++) assert.equal((await getPage('/allocate')).status, 200)
  assert.equal((await fetch(`${app.url}/api/v1/staking/epoch`)).status, 200)
})

test('a trailing slash redirects browsers to the page, never to another origin; programs get 404', async () => {
  for (const [path, to] of [
    ['/docs/', '/docs'],
    ['/docs/limits/', '/docs/limits'],
    ['/console/', '/console'],
    ['/validators/?sort=apy&order=desc', '/validators?sort=apy&order=desc'],
  ] as const) {
    const answer = await getPage(path)
    assert.deepEqual([answer.status, answer.redirected, answer.url], [200, true, app.url + to])
    assert.equal((await fetch(app.url + path)).status, 404)
  }
  const foreign = await fetch(`${app.url}//elsewhere.example/`, { headers: HTML, redirect: 'manual' })
  const location = foreign.headers.get('location') ?? ''
  assert.equal(new URL(location, `${app.url}//elsewhere.example/`).origin, app.url)
})

test('/favicon.ico is an icon', async () => {
  const answer = await fetch(`${app.url}/favicon.ico`)
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml'])
  assert.match(await answer.text(), /^<svg /)
})

test('an unknown path is a page for browsers and JSON for programs; the API stays JSON', async () => {
  const page = await getPage('/nowhere')
  assert.equal(page.status, 404)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const html = await page.text()
  assert.match(html, /There is no page here/)
  assert.deepEqual(navigationOf(html), navigationOf(await (await getPage('/')).text()))
  for (const answer of [await fetch(`${app.url}/nowhere`), await getPage('/api/v1/nowhere')]) {
    assert.equal(answer.status, 404)
    assert.equal(toRecord(await answer.json())['error'], 'not_found')
  }
})

const SHARED = [
  '/openapi.json',
  '/api/v1/staking/validators',
  '/api/v1/staking/validator-histories?epochs=30',
]

test('large shared answers are compressed, and a repeated request gets a 304', async () => {
  for (const path of SHARED) {
    const answer = await fetch(app.url + path, { headers: { 'accept-encoding': 'br' } })
    assert.equal(answer.headers.get('content-encoding'), 'br', path)
    assert.match(answer.headers.get('vary') ?? '', /accept-encoding/)
    const etag = answer.headers.get('etag') ?? ''
    assert.match(etag, /^W\//)
    assert.deepEqual(await answer.json(), await (await plainly(path)).json())
    const again = await fetch(app.url + path, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } })
    assert.equal(again.status, 304)
    assert.equal(again.headers.get('vary'), answer.headers.get('vary'), path)
  }
})

test('the OpenAPI document is compressed better than at a quick level, because the first view of /docs waits for it', async () => {
  const answer = await fetch(`${app.url}/openapi.json`, { headers: { 'accept-encoding': 'br' } })
  const sent = Number(answer.headers.get('content-length'))
  const quickly = brotliCompressSync(await answer.text(), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
  })
  assert(sent < quickly.length, `${sent} of ${quickly.length} bytes`)
})

const plainly = async (path: string) => {
  const answer = await fetch(app.url + path, { headers: { 'accept-encoding': 'identity' } })
  assert.equal(answer.headers.get('content-encoding'), null)
  return answer
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROUTES } from '@stakewright/contract'
import { PAGES } from '@stakewright/web/pages'
import { DOCUMENTS } from '#discovery/documents.ts'
import { headingId, pageOf, parseInlines } from '../../../web/src/data/docs/markdown.ts'
import { documentation } from '../../src/wiring/documentation.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { callsIn, type Link, linksIn } from './links.ts'

let app: TestApp
before(async () => {
  app = await openTestApp({ env: { LIMIT_IP_RPM: '100000' } })
})
after(() => app[Symbol.asyncDispose]())

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

async function read(to: string, accept = '*/*') {
  const url = new URL(to, app.url).href
  const response = await fetch(url, { headers: { accept } })
  const contentType = response.headers.get('content-type') ?? ''
  return { url, response, contentType, text: await response.text() }
}

/** The content type that belongs to each ending of a URL. */
const KINDS: readonly (readonly [RegExp, RegExp])[] = [
  [/\.md$/, /^text\/markdown/],
  [/\.txt$/, /^text\/plain/],
  [/\.json$/, /^application\/(?:\w+[\w.-]*\+)?json/],
  [/\.(?:ts|mjs|js)$/, /^text\/javascript/],
  [/\.svg$/, /^image\/svg/],
  [/\.css$/, /^text\/css/],
]
/** Linked paths that GET does not serve: a common prefix, and endpoints that take POST. */
const NOT_READ = ['/api/v1', '/mcp', ROUTES.selfRegister.path]

async function checkLink({ from, to }: Link): Promise<void> {
  const { pathname, hash } = new URL(to)
  if (NOT_READ.includes(pathname)) return
  const { response, contentType, text } = await read(to)
  assert.equal(response.status, 200, `${from} → ${to}`)
  const kind = KINDS.find(([ending]) => ending.test(pathname))?.[1] ?? /./
  assert.match(contentType, kind, `${from} → ${to}`)
  if (hash === '' || !pathname.endsWith('.md')) return
  const ids = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => headingId(title))
  assert(ids.includes(decodeURIComponent(hash.slice(1))), `${from} → ${to}`)
}

test('every link of every document is served, with the content type of its ending and its heading', async () => {
  const starts = [
    '/',
    ...Object.keys(DOCUMENTS),
    ...documentation(() => 'http://127.0.0.1:3000').names.map((name) => `/docs/${name}`),
  ]
  const pages = PAGES.filter(({ path }) => !path.includes('{')).map(({ path }) => path)
  const documents = [
    ...(await Promise.all([...starts, '/openapi.json'].map((path) => read(path)))),
    ...(await Promise.all(pages.map((path) => read(path, BROWSER)))),
  ]
  const links = new Map<string, Link>()
  for (const { url, response, contentType, text } of documents) {
    assert.equal(response.status, 200, url)
    if (url.endsWith('/openapi.json')) continue
    for (const link of linksIn(url, contentType, text, response.headers.get('link') ?? ''))
      links.set(link.to, link)
  }
  assert(links.size > 30, `${links.size} links`)
  for (const link of links.values()) await checkLink(link)
})

test('every call that a document names is an endpoint of the API', async () => {
  const served = new Set(Object.values(ROUTES).map(({ method, path }) => `${method} ${path}`))
  const templates = [...served].map((call) => new RegExp(`^${call.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
  const others = /^(?:GET \/(?:healthz|readyz|metrics|\S*\.txt|\S*\.json|docs\S*)?|POST \/mcp)$/
  const unknown: string[] = []
  for (const path of [
    ...Object.keys(DOCUMENTS),
    ...documentation(() => 'http://127.0.0.1:3000').names.map((name) => `/docs/${name}`),
  ]) {
    const { url, text } = await read(path)
    for (const { method, path: called } of callsIn(url, text)) {
      const call = `${method} ${called}`
      const isKnown = others.test(call) || templates.some((template) => template.test(call))
      if (!isKnown) unknown.push(`${path}: ${call}`)
    }
  }
  assert.deepEqual(unknown, [])
})

test('every link of a guide in the web app leads to an existing page', async () => {
  for (const name of documentation(() => 'http://127.0.0.1:3000').names.filter(
    (page) => !page.includes('/'),
  )) {
    const { text } = await read(`/docs/${name}`)
    const hrefs = parseInlines(text).flatMap((inline) => (inline.kind === 'link' ? [inline.href] : []))
    for (const href of hrefs) {
      const page = pageOf(href)
      if (page === undefined || page.startsWith('https://')) continue
      const here = `${app.url}/docs/${name.replace(/\.md$/, '')}`
      const { response, contentType } = await read(new URL(page, here).href, BROWSER)
      assert.equal(response.status, 200, `${name} → ${page}`)
      assert.match(contentType, /^text\/html/, `${name} → ${page}`)
    }
  }
})

test('404: a missing page of the documentation is not answered with another page', async () => {
  for (const path of ['/docs/nothing.md', '/docs/nothing', '/docs/nothing.json', '/docs/decisions/0.md']) {
    for (const accept of ['*/*', BROWSER]) assert.equal((await read(path, accept)).response.status, 404, path)
  }
  const { response, contentType } = await read('/docs/nothing.md')
  assert.equal(response.status, 404)
  assert.match(contentType, /json/)
})

test('a program that asks for Markdown gets the Markdown of a page', async () => {
  for (const [path, twin] of [
    ['/', '/llms.txt'],
    ['/docs', '/docs/README.md'],
    ['/docs/limits', '/docs/limits.md'],
  ] as const) {
    const { response, text, contentType } = await read(path, 'text/markdown, text/html, */*')
    assert.match(response.headers.get('link') ?? '', /rel="api-catalog"/, path)
    assert.match(contentType, /^text\/markdown/)
    assert.equal(text, (await read(twin)).text)
    assert.match((await read(path, BROWSER)).contentType, /^text\/html/)
  }
})

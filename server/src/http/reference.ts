import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { EndpointName } from '@stakewright/contract'
import { openapiDocument } from '@stakewright/contract/openapi'
import { conditional, type Prepared, prepare, share } from '#api/cached-answer.ts'
import type { Handler } from './wire/router.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly served: readonly EndpointName[]
  readonly version: string
}

const HOUR = 3600
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
} as const

const START = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, persistAuthorization: false,
    tryItOutEnabled: true, displayRequestDuration: true, defaultModelsExpandDepth: 0 })
})`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stakewright API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>${START}</script>
`

/** Everything comes from here; the page's own script is known by its hash. */
const POLICY = [
  "default-src 'none'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  `script-src 'self' 'sha256-${hash('sha256', START, 'base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export const REFERENCE_PATHS = [
  '/openapi.json',
  '/docs',
  ...Object.keys(ASSETS).map((name) => `/docs/${name}`),
]

/** The OpenAPI document, and a page to read and try it that needs no other host. */
export function serveReference({ serve, served, version }: Needs): void {
  let document: Prepared | undefined
  const get = (path: string, handler: Handler) => serve({ method: 'GET', path, auth: 'none' }, handler)
  get('/openapi.json', (request) => {
    document ??= share(prepare(openapiDocument(served, version), HOUR))
    return conditional(request.header('if-none-match'), document)
  })
  get('/docs', () => ({
    body: PAGE,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  }))
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  for (const [name, contentType] of Object.entries(ASSETS)) {
    // Read when it is first asked for: most processes never are.
    let bytes: Buffer | undefined
    get(`/docs/${name}`, () => {
      bytes ??= readFileSync(join(folder, name))
      return {
        body: bytes,
        headers: { 'content-type': contentType, 'cache-control': `public, max-age=${HOUR}` },
      }
    })
  }
}

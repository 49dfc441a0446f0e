import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, ROUTES } from '@stakewright/contract'
import { openapiDocument } from '@stakewright/contract/openapi'
import { describedApi, OPENAPI_FILE } from '../../../scripts/described-api.ts'
import { openTestApp } from '../test-app.ts'

test('docs/openapi.json is what the service says about itself', async () => {
  assert.equal(readFileSync(OPENAPI_FILE, 'utf8'), await describedApi(), 'run: npm run openapi')
})

test('every described operation is served, and everything served under /api is described', async () => {
  await using app = await openTestApp()
  const { paths } = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text())
  for (const [path, operations] of Object.entries<Record<string, unknown>>(paths)) {
    for (const method of Object.keys(operations)) {
      const response = await fetch(app.url + path.replaceAll(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
      })
      assert.notEqual(response.status, 405, `${method} ${path}`)
      const { message = '' } = JSON.parse(await response.text())
      assert.doesNotMatch(message, /Nothing is served at this path/, `${method} ${path}`)
    }
  }
})

test('an endpoint that nothing serves is not described, and neither are the schemas only it uses', () => {
  const described = JSON.stringify(openapiDocument(['epoch'], '0.1.0'))
  assert(described.includes('/api/v1/staking/epoch'))
  assert(!described.includes('/api/v1/agents'))
  assert(!described.includes('AllocateRequest'))
})

test('every reference in the document leads somewhere', () => {
  const document = JSON.stringify(openapiDocument(Object.keys(ROUTES) as EndpointName[], '0.1.0'))
  const { schemas } = JSON.parse(document).components
  const references = [...document.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
  assert.deepEqual(
    references.filter((name) => !(name in schemas)),
    [],
  )
})

test('no two parts of a request share a name, so that clients can pass one flat object', () => {
  for (const [name, row] of Object.entries(ENDPOINTS)) {
    const parts = ['params', 'query', 'body'] as const
    const names = parts.flatMap((part) => (part in row ? Object.keys((row as never)[part]['shape']) : []))
    assert.equal(new Set(names).size, names.length, name)
  }
})

test('every field of every endpoint says what it is', () => {
  const document = openapiDocument(Object.keys(ROUTES) as EndpointName[], '0.1.0')
  const paths = Object.values(document['paths'] as Record<string, Record<string, { parameters?: object[] }>>)
  const parameters = paths.flatMap((path) => Object.values(path).flatMap(({ parameters = [] }) => parameters))
  for (const parameter of parameters as { name: string; in: string; description?: string }[]) {
    if (parameter.in !== 'header')
      assert(parameter.description, `the parameter ${parameter.name} says nothing`)
  }
})

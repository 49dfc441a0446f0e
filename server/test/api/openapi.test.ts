import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  endpointAt,
  ROUTES,
  TAGS,
} from '@stakewright/contract'
import { openapiDocument } from '@stakewright/contract/openapi'
import { countTokens } from 'gpt-tokenizer'
import { describedApi, OPENAPI_FILE } from '../../../scripts/described-api.ts'
import { pointedAt } from '../../../test/openapi/references.ts'
import { ME, stakeInSandbox } from '../support/holdings.ts'
import { openTestApp } from '../support/test-app.ts'

test('docs/openapi.json is the document that the service generates', async () => {
  assert.equal(readFileSync(OPENAPI_FILE, 'utf8'), await describedApi(), 'run: npm run openapi')
})

test('every placeholder for an endpoint in a text is replaced', async () => {
  const { description } = openapiDocument(['allocate'], '1').paths?.[ROUTES.allocate.path]?.post ?? {}
  assert.match(description ?? '', /`buildBatch` stakes all of it/)
  assert.doesNotMatch(readFileSync(OPENAPI_FILE, 'utf8'), /\{\{/)
})

test('every described operation is served, and everything served under /api is described', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '10000' } })
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
  const methodsAt = (path: string) =>
    Object.entries<object>(paths)
      .filter(([template]) => patternOf(template).test(path))
      .flatMap(([, operations]) => Object.keys(operations).map((method) => method.toUpperCase()))
  for (const path of new Set([...Object.keys(paths), ...pathsInSources()])) {
    const { headers } = await fetch(app.url + path, { method: 'OPTIONS' })
    const served = (headers.get('allow') ?? '')
      .split(', ')
      .filter((method) => /GET|POST|PUT|DELETE|PATCH/.test(method))
    assert.deepEqual(served.toSorted(), [...new Set(methodsAt(path))].toSorted(), path)
  }
})

const patternOf = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Every path under /api that a source file names: whatever is served there has to be one of these. */
function pathsInSources(): readonly string[] {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('{contract,server}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'))
  const named = texts.flatMap((text) => [...text.matchAll(/['"`](\/api\/[\w/{}.-]*)['"`]/g)])
  assert(named.length > Object.keys(ROUTES).length)
  return named.map(([, path = '']) => path)
}

test('an endpoint that nothing serves is not described, and neither are the schemas only it uses', () => {
  const { paths, components } = openapiDocument(['epoch'], '0.1.0')
  assert.deepEqual(Object.keys(paths ?? {}), ['/api/v1/staking/epoch'])
  assert.deepEqual(Object.keys(components?.schemas ?? {}).toSorted(), ['Epoch', 'Error'])
})

test('every reference in the document can be resolved', () => {
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

test('200: each tag has a separate document', async () => {
  await using app = await openTestApp()
  const whole = await (await fetch(`${app.url}/openapi.json`)).text()
  for (const tag of Object.keys(TAGS)) {
    const response = await fetch(`${app.url}/openapi.json?tag=${encodeURIComponent(tag.toLowerCase())}`)
    const text = await response.text()
    const { tags, paths } = JSON.parse(text)
    assert.deepEqual(tags, [{ name: tag, description: TAGS[tag as keyof typeof TAGS] }])
    assert(Object.keys(paths).length > 0)
    assert(text.length < whole.length / 2, `${tag}: ${text.length} of ${whole.length}`)
  }
})

test('200: each operation has a separate document that is small enough for a model', async () => {
  await using app = await openTestApp()
  for (const [name, { method, path }] of Object.entries(ROUTES)) {
    const text = await (await fetch(`${app.url}/openapi.json?operation=${name.toUpperCase()}`)).text()
    const { paths } = JSON.parse(text)
    assert.deepEqual(Object.keys(paths), [path])
    assert.equal(paths[path][method.toLowerCase()].operationId, name)
    const tokens = countTokens(text)
    assert(tokens <= 10_000, `${name}: ${tokens} tokens`)
  }
})

const LISTS = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
  const { list }: EndpointSpec = ENDPOINTS[name]
  return list !== undefined && ROUTES[name].auth !== 'user-token'
})

test('200: a list is valid under its schema, complete and in part', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '10000' } })
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const agent = app.client({ apiKey })
  const id = (await agent.validators({ status: 'active', limit: 1 })).data[0]?.id ?? ''
  await stakeInSandbox(agent, id)
  await agent.sandboxAdvance({ epochs: 3 })
  const { paths, components } = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text())
  assert(LISTS.length >= 9)
  for (const name of LISTS) {
    const { path, method } = ROUTES[name]
    const { list, query }: EndpointSpec = ENDPOINTS[name]
    const { schema } = paths[path][method.toLowerCase()].responses['200'].content['application/json']
    const validate = new AjvJsonSchemaValidator().getValidator({ ...schema, components })
    const needs = query?.shape['owner'] ? `owner=${ME}&` : ''
    for (const part of ['', 'view=compact', `fields=${list?.fields[1]}`]) {
      const asked = `${app.url}${path.replace(/\{\w+\}/, id)}?${needs}${part}`
      const response = await fetch(asked, { headers: { 'x-api-key': apiKey } })
      assert.equal(response.status, 200, asked)
      const answer = await response.json()
      assert(answer[list?.items ?? ''].length > 0, asked)
      const { valid, errorMessage } = validate(answer)
      assert(valid, `${asked}: ${errorMessage}`)
    }
  }
})

test('every required parameter and every answer has an example, and those of answers match their schemas', () => {
  const document = JSON.parse(JSON.stringify(openapiDocument(Object.keys(ROUTES) as EndpointName[], '0.1.0')))
  for (const [name, { method, path }] of Object.entries(ROUTES)) {
    const row: EndpointSpec = ENDPOINTS[name as EndpointName]
    const { parameters = [], responses } = document.paths[path][method.toLowerCase()]
    const values = Object.fromEntries(
      parameters.map((one: { name: string; example: unknown }) => [one.name, one.example]),
    )
    for (const [field, schema] of Object.entries({ ...row.params?.shape, ...row.query?.shape }))
      assert(schema.isOptional() || values[field] !== undefined, `${name}: ${field}`)
    const { example } = responses[String(row.status ?? 200)].content['application/json']
    const parsed = row.reply.safeParse(example)
    assert(parsed.success, `${name}: ${parsed.error?.message}`)
  }
})

type Answer = {
  readonly description: string
  readonly content: { readonly 'application/json': { readonly examples: Readonly<Record<string, unknown>> } }
}

test('414: a URL that is too long is refused, and the operations with values in the URL describe it', async () => {
  await using app = await openTestApp()
  const { paths } = JSON.parse(await (await fetch(`${app.url}/openapi.json`)).text())
  const { path } = ROUTES.validators
  const { status } = await fetch(`${app.url}${path}?search=${'x'.repeat(9_000)}`)
  assert.equal(status, 414)
  assert(paths[path].get.responses[status])
  for (const name of NAMES) {
    const { params, query }: EndpointSpec = ENDPOINTS[name]
    const { responses } = paths[ROUTES[name].path][ROUTES[name].method.toLowerCase()]
    assert.equal('414' in responses, params !== undefined || query !== undefined, name)
  }
})

test('every error of every operation has its own example, with its status and its code', () => {
  const document = JSON.parse(JSON.stringify(openapiDocument(Object.keys(ROUTES) as EndpointName[], '0.1.0')))
  const follow = <Part>(part: Part | { $ref: string }): Part =>
    typeof part === 'object' && part !== null && '$ref' in part
      ? (pointedAt(document, part.$ref) as Part)
      : (part as Part)
  for (const { method, path } of Object.values(ROUTES)) {
    const responses: Record<string, Answer> = document.paths[path][method.toLowerCase()].responses
    const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    assert(errors.length > 2, `${method} ${path}`)
    for (const [status, response] of errors) {
      const { description, content } = follow(response)
      const codes = [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code)
      const { examples } = content['application/json']
      assert.deepEqual(Object.keys(examples), codes, `${method} ${path} ${status}`)
      for (const [code, example] of Object.entries(examples)) {
        const { value } = follow(example as { value: ErrorBody })
        assert.deepEqual([value.error, value.status], [code, Number(status)], `${method} ${path} ${status}`)
      }
    }
  }
})

test('no example of an error names a field, a credential or a call that its operation does not have', async () => {
  for (const served of [NAMES, NAMES.filter((name) => ENDPOINTS[name].tag !== 'Sandbox')]) {
    const document = JSON.parse(JSON.stringify(openapiDocument(served, '0.1.0')))
    for (const name of served) {
      const { method, path, auth } = ROUTES[name]
      const { params, query, body }: EndpointSpec = ENDPOINTS[name]
      const fields = [params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}))
      const { responses } = document.paths[path][method.toLowerCase()]
      const examples = Object.values<{ $ref: string }>(responses).flatMap(({ $ref }) =>
        $ref === undefined ? [] : Object.values<{ $ref: string }>(Object(contentOf(document, $ref)).examples),
      )
      for (const { $ref } of examples) {
        const { value } = pointedAt(document, $ref) as { readonly value: ErrorBody }
        const label = `${name}: ${JSON.stringify(value)}`
        for (const { field } of value.details ?? [])
          assert([...fields, 'unknown', 'body'].includes(field.replace(/[[.].*/, '')), label)
        if (value.fix.includes('`next`')) assert(value.next, label)
        if (value.fix.includes('`details`')) assert(value.details, label)
        if (value.status === 401 && auth !== 'none')
          assert.match(value.message, auth === 'agent-key' ? /API key/ : /user token/, label)
        const called = callsIn(`${value.message} ${value.next?.method} ${value.next?.path}`)
        assert(
          called.every((one) => served.includes(one)),
          label,
        )
      }
    }
  }
})

const NAMES = Object.keys(ROUTES) as EndpointName[]

const contentOf = (document: object, $ref: string): unknown =>
  (pointedAt(document, $ref) as Answer).content['application/json']

test('401 of a wrong signature is described', () => {
  const { paths } = openapiDocument(['selfRegister'], '0.1.0')
  assert('401' in (paths?.[ROUTES.selfRegister.path]?.post?.responses ?? {}))
})

test('400: the refusal of an unknown tag or operation names known ones', async () => {
  await using app = await openTestApp()
  for (const query of ['tag=Agents', 'tag=', 'tag=Agent&tag=Users', 'tags=Agent']) {
    const response = await fetch(`${app.url}/openapi.json?${query}`)
    assert.equal(response.status, 400, query)
    assert.match(await response.text(), /Agent, /, query)
  }
  const near = await (await fetch(`${app.url}/openapi.json?operation=allocat`)).json()
  assert.equal(near.fix, 'Use GET /openapi.json?operation=allocate, if that is what you mean.')
  assert.equal((await fetch(`${app.url}${near.next.path}`)).status, 200)
  const tag = await (await fetch(`${app.url}/openapi.json?tag=Stakingdata`)).json()
  assert.equal((await fetch(`${app.url}${tag.next.path}`)).status, 200, tag.fix)
  const parameter = await (await fetch(`${app.url}/openapi.json?opertion=allocate`)).json()
  assert.match(parameter.fix, /such as `operation`/)
})

test('every pattern has only syntax that all readers of JSON Schema know', async () => {
  await using app = await openTestApp()
  const text = await (await fetch(`${app.url}/openapi.json`)).text()
  const patterns = [...text.matchAll(/"pattern":"((?:[^"\\\\]|\\\\.)*)"/g)].map(([, pattern]) =>
    JSON.parse(`"${pattern}"`),
  )
  assert(patterns.length > 5)
  for (const pattern of patterns) {
    assert.doesNotMatch(pattern, /\\[pPkuU]|\(\?/, pattern)
    assert.doesNotThrow(() => new RegExp(pattern), pattern)
  }
})

const callsIn = (text: string) =>
  [...text.matchAll(/\b([A-Z]+) (\/api\/[\w/{}-]+)/g)].flatMap(
    ([, method = '', path = '']) => endpointAt(method, path) ?? [],
  )

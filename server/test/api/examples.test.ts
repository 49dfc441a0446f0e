import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { ANSWERS } from '@stakewright/contract/answers'
import { EXAMPLES } from '@stakewright/contract/examples'
import { COMMON_REFUSALS, REFUSALS } from '@stakewright/contract/refusals'
import { answerBeforeApproval, answerToExample } from '../support/examples/answer-to-example.ts'
import { recordedRefusals } from '../support/examples/refusals-of-examples.ts'
import { openTestApp } from '../support/test-app.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
const ROWS: Record<string, EndpointSpec> = ENDPOINTS

test('every endpoint that takes input has an example', () => {
  const takes = NAMES.filter((name) => ROWS[name]?.params ?? ROWS[name]?.query ?? ROWS[name]?.body)
  assert.deepEqual(Object.keys(EXAMPLES).toSorted(), takes.toSorted())
})

for (const name of NAMES) {
  test(`${ROWS[name]?.status ?? 200}: a fresh sandbox answers the example of ${name} as documented`, async () => {
    assert.deepEqual(await answerToExample(name), ANSWERS[name], 'run: npm run openapi')
  })
}

test('202: a build that needs approval is answered as documented', async () => {
  assert.deepEqual(await answerBeforeApproval(), ANSWERS.awaitsApproval, 'run: npm run openapi')
})

test('400 to 415: a fresh sandbox answers usual mistakes at every endpoint as documented', async () => {
  const { alike, of } = await recordedRefusals()
  assert.deepEqual(alike, COMMON_REFUSALS, 'run: npm run openapi')
  assert.deepEqual(of, REFUSALS, 'run: npm run openapi')
})

type Described = {
  readonly get?: {
    readonly operationId: string
    readonly parameters?: readonly {
      readonly in: string
      readonly name: string
      readonly example?: unknown
    }[]
  }
}

test('200: a request with the example of every parameter, as tools fill them in, gets an answer', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'examples' })
  const asked: string[] = []
  const document = await (await fetch(`${app.url}/openapi.json`)).json()
  for (const [path, { get }] of Object.entries<Described>(document.paths)) {
    const name = NAMES.find((one) => one === get?.operationId)
    if (!name || ROUTES[name].auth === 'user-token' || name === 'verifyEmail') continue
    const url = new URL(path, app.url)
    for (const parameter of get?.parameters ?? []) {
      if (parameter.example === undefined) continue
      if (parameter.in === 'query') url.searchParams.set(parameter.name, String(parameter.example))
      url.pathname = url.pathname.replace(`%7B${parameter.name}%7D`, String(parameter.example))
    }
    const { status } = await fetch(url, { headers: { 'x-api-key': data.apiKey } })
    assert.equal(status, 200, url.href)
    if (url.search !== '') asked.push(name)
  }
  assert(asked.length >= 8, asked.join(', '))
})

test('200: on another chain examples name one of its validators, and other ids are described as the sandbox’s', async () => {
  await using app = await openTestApp({ env: { SANDBOX_SEED: '7', LIMIT_IP_RPM: '1000' } })
  const { data } = await app.client().sandboxKey({ agentName: 'examples' })
  const document = await (await fetch(`${app.url}/openapi.json`)).json()
  assert.match(document.info.description, /sandbox with seed 1, and their ids do not exist on this chain/)
  for (const name of NAMES_WITH_VALIDATOR) {
    const { method, path } = ROUTES[name]
    const { parameters = [], requestBody } = document.paths[path][method.toLowerCase()]
    const of = Object.fromEntries(parameters.map((one: Parameter) => [one.name, one.example]))
    const body = requestBody?.content['application/json'].example
    const response = await fetch(app.url + path.replace(/\{(\w+)\}/, (_, field: string) => of[field]), {
      method,
      headers: { 'x-api-key': data.apiKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.equal(response.status, 200, `${name}: ${await response.text()}`)
  }
})

type Parameter = { readonly name: string; readonly example?: unknown }

/** Endpoints whose examples have no other id of a chain. */
const NAMES_WITH_VALIDATOR = [
  'validator',
  'validatorApyHistory',
  'validatorCommissionHistory',
  'scoredValidators',
  'delegators',
  'allocate',
  'buildStake',
  'simulatePolicy',
] as const

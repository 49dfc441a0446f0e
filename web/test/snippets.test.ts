import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Input } from '@stakewright/client'
import { ROUTES } from '@stakewright/contract/routes'
import { connectMcp } from '../../server/test/mcp/mcp-client.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { snippetsFor } from '../src/data/docs/snippets.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))
const has = (program: string) => spawnSync(program, ['--version']).status === 0

let app: TestApp
let apiKey: string
let input: Input<'allocate'>
before(async () => {
  app = await openTestApp()
  const { data } = await app.client().validators()
  // A name with quotes, which the snippets must escape.
  const group = {
    name: `O'Neil's "North"`,
    maxShare: 0.5,
    validatorIds: data.slice(0, 2).map(({ id }) => id),
  }
  input = { amount: '1000000000000', maxValidators: 3, exclude: [], groups: [group], explain: true }
  apiKey = (await app.client().sandboxKey({ agentName: 'reader' })).data.apiKey
})
after(() => app[Symbol.asyncDispose]())

const textOf = (name: string) =>
  snippetsFor({ endpoint: 'allocate', input }, app.url).find((one) => one.name === name)?.text ?? ''

const answered = async (program: string, args: readonly string[], cwd?: string) => {
  const { stdout } = await run(program, args, { env: { ...process.env, KEY: apiKey }, ...(cwd && { cwd }) })
  return toTotal(JSON.parse(stdout))
}

/** The value that every snippet must return: the projected yield of the same call by the client. */
const toTotal = (answer: unknown) => (answer as { readonly totalProjectedApy: number }).totalProjectedApy
const expected = async () => (await app.client({ apiKey }).allocate(input)).totalProjectedApy

test('the curl snippet gives the answer that the page shows', {
  skip: !has('curl') && 'there is no curl here',
}, async () => {
  assert.equal(await answered('sh', ['-c', textOf('curl').replace('curl ', 'curl -s ')]), await expected())
})

test('the Python snippet gives the answer that the page shows', {
  skip: !has('python3') && 'there is no Python here',
}, async () => {
  assert.equal(
    await answered('python3', ['-c', `${textOf('Python')}\nprint(json.dumps(answer))`]),
    await expected(),
  )
})

test('the TypeScript snippet gives the answer that the page shows', async () => {
  const code = `${textOf('TypeScript')}\nconsole.log(JSON.stringify(answer))`
  const args = ['--input-type=module-typescript', '--no-warnings', '-e', code]
  assert.equal(await answered(process.execPath, args, CLIENT), await expected())
})

/** Posts a copied message as its note says. */
async function postMessage(text: string) {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': apiKey,
    },
    body: text,
  })
  assert.equal(response.status, 200)
  const data = /^data: (.*)$/m.exec(await response.text())?.[1]
  return toResult(JSON.parse(data ?? assert.fail('an answer of the protocol')))
}

/** An answer of the protocol to a call of a tool. */
const toResult = (value: unknown) =>
  (value as { readonly result: { readonly structuredContent?: unknown } }).result

test('the MCP message, posted as copied, gives the answer that the page shows', async () => {
  const { structuredContent } = await postMessage(textOf('MCP'))
  assert.equal(toTotal(structuredContent), await expected())
})

test('there is an MCP message for every call that is a tool, and for no other', async () => {
  const named = toEndpoints(ROUTES).flatMap((endpoint) =>
    snippetsFor({ endpoint, input: {} }, app.url)
      .filter(({ name }) => name === 'MCP')
      .map(({ text }) => String(/"name": "(.*)"/.exec(text)?.[1])),
  )
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const { tools } = await mcp.client.listTools()
  assert.deepEqual(named.toSorted(), tools.map(({ name }) => name).toSorted())
})

const toEndpoints = (routes: typeof ROUTES) => Object.keys(routes) as readonly (keyof typeof ROUTES)[]

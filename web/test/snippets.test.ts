import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connectMcp } from '../../server/test/mcp/mcp-client.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { snippetsFor } from '../src/data/docs/snippets.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../client', import.meta.url))
const INPUT = { amount: '1000000000000', maxValidators: 3, exclude: [], explain: true } as const
const has = (program: string) => spawnSync(program, ['--version']).status === 0

let app: TestApp
let apiKey: string
before(async () => {
  app = await openTestApp()
  apiKey = (await app.client().sandboxKey({ agentName: 'reader' })).data.apiKey
})
after(() => app[Symbol.asyncDispose]())

const textOf = (name: string) =>
  snippetsFor({ endpoint: 'allocate', input: INPUT }, app.url).find((one) => one.name === name)?.text ?? ''

const answered = async (program: string, args: readonly string[], cwd?: string) => {
  const { stdout } = await run(program, args, { env: { ...process.env, KEY: apiKey }, ...(cwd && { cwd }) })
  return toTotal(JSON.parse(stdout))
}

/** What every language has to get: the projected yield of the same call by the client. */
const toTotal = (answer: unknown) => (answer as { readonly totalProjectedApy: number }).totalProjectedApy
const expected = async () =>
  (await app.client({ apiKey }).allocate({ ...INPUT, exclude: [] })).totalProjectedApy

test('the call in curl answers what the page shows', {
  skip: !has('curl') && 'there is no curl here',
}, async () => {
  assert.equal(await answered('sh', ['-c', textOf('curl').replace('curl ', 'curl -s ')]), await expected())
})

test('the call in Python answers what the page shows', {
  skip: !has('python3') && 'there is no Python here',
}, async () => {
  assert.equal(
    await answered('python3', ['-c', `${textOf('Python')}\nprint(json.dumps(answer))`]),
    await expected(),
  )
})

test('the call in TypeScript answers what the page shows', async () => {
  const code = `${textOf('TypeScript')}\nconsole.log(JSON.stringify(answer))`
  const args = ['--input-type=module-typescript', '--no-warnings', '-e', code]
  assert.equal(await answered(process.execPath, args, CLIENT), await expected())
})

test('the call by MCP answers what the page shows', async () => {
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const { params } = toCall(JSON.parse(textOf('MCP')))
  const { isError, data } = await mcp.call(params.name, params.arguments)
  assert.deepEqual([isError, toTotal(data)], [false, await expected()])
})

/** The snippet is a request of the protocol. */
const toCall = (value: unknown) =>
  value as {
    readonly params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
  }

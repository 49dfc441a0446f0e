import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectMcp, connectStdio } from '../../server/test/mcp/mcp-client.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8')

type Entry = {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** The client configurations in docs/agents.md. */
const entries = [
  ...read('docs/agents.md').matchAll(/```json\n(\{\n {2}"(?:mcpServers|servers)"[^`]*)```/g),
].map(([, text = '']) => {
  const [servers] = Object.values(JSON.parse(text) as Readonly<Record<string, { stakewright: Entry }>>)
  return servers?.stakewright ?? {}
})

test('the documented client set-ups by URL reach the service with the key', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'set-up' })).data
  const byUrl = entries.filter(({ url }) => url !== undefined)
  assert(byUrl.length >= 2)
  for (const { url = '', headers = {} } of byUrl) {
    assert.equal(new URL(url).pathname, '/mcp')
    const sent = Object.fromEntries(Object.keys(headers).map((name) => [name, apiKey]))
    await using mcp = await connectMcp(app.url, '2025-11-25', sent)
    assert.equal((await mcp.call('usage')).isError, false)
  }
})

test('the documented set-up of clients that start a program works, with exactly the variables that it reads', async () => {
  const [program, ...others] = entries.filter(({ command }) => command !== undefined)
  assert.deepEqual(others, [])
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'set-up' })).data
  const args = (program?.args ?? []).map((word) => word.replace('/path/to/clone', fileURLToPath(ROOT)))
  const env = { PATH: process.env['PATH'] ?? '', STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  await using mcp = await connectStdio({ command: program?.command ?? '', args, env }, '2025-11-25')
  assert.equal((await mcp.call('usage')).isError, false)
  const described = JSON.parse(read('server.json')).packages[0].environmentVariables as { name: string }[]
  assert.deepEqual(
    Object.keys(program?.env ?? {}),
    described.map((variable) => variable.name),
  )
})

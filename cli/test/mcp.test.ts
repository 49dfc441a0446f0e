import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { admitAgent } from '../../server/test/support/admitted-agent.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** The official client, which starts the command line as a program of its own. */
async function connect(mode: 'auto' | 'legacy', env: Readonly<Record<string, string>>) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp'],
    env: { ...env },
  })
  try {
    await client.connect(transport)
  } catch (error) {
    // The program goes on; nobody else would end it.
    await transport.close()
    throw error
  }
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

const textOf = (result: { readonly content?: unknown }): string =>
  (result.content as readonly { readonly text: string }[])[0]?.text ?? ''

for (const mode of ['auto', 'legacy'] as const) {
  test(`${mode}: a client that starts a program reaches every tool, with the key of the environment`, async () => {
    await using app = await openTestApp()
    const { apiKey } = await admitAgent(app)
    await using stdio = await connect(mode, { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey })
    const { tools } = await stdio.client.listTools()
    assert(tools.some(({ name }) => name === 'allocate'))
    const [epoch, usage] = await Promise.all([
      stdio.client.callTool({ name: 'epoch', arguments: {} }),
      stdio.client.callTool({ name: 'usage', arguments: {} }),
    ])
    assert.match(textOf(epoch), /^epoch: \d+/)
    assert.match(textOf(usage), /tier: free/)
  })

  test(`${mode}: a key that is refused ends the connection, and a service that is gone is a result that says so`, async () => {
    await using app = await openTestApp()
    const wrong = `stk_${'0'.repeat(46)}`
    await assert.rejects(
      connect(mode, { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: wrong }),
      /401.*not a valid API key/,
    )
    await using stdio = await connect(mode, { STAKEWRIGHT_URL: app.url })
    await app.stop()
    const gone = await stdio.client.callTool({ name: 'epoch', arguments: {} })
    assert(gone.isError)
    assert.match(textOf(gone), /cannot be reached/)
  })
}

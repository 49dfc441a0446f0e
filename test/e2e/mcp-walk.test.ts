import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { connectMcp, connectStdio, ERAS, type Revision } from '../../server/test/mcp/mcp-client.ts'
import { stakeByTools } from '../../server/test/mcp/stake-by-tools.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { type ServiceProcess, startByNpm } from './service-process.ts'

const COMMAND_LINE = join(import.meta.dirname, '..', '..', 'cli', 'src', 'main.ts')

/** Each test has a wallet of its own. */
const walletOf = (digit: number): string => `0x${String(digit).repeat(64)}`

suite('an agent that reads only tool descriptions and answers gets a stake executed', () => {
  const opened = new AsyncDisposableStack()
  let service: ServiceProcess

  before(async () => {
    const folder = opened.use(await tempFolder())
    service = opened.use(await startByNpm({ DATA_DIR: folder.path }))
  })
  after(() => opened.disposeAsync())

  for (const [at, revision] of (Object.keys(ERAS) as Revision[]).entries()) {
    test(`${revision}: over HTTP, on a service started by npm start`, async () => {
      await using mcp = await connectMcp(service.url, revision)
      const calls = await stakeByTools(mcp, walletOf(1 + at))
      assert(calls.length <= 8, calls.join(', '))
    })

    test(`${revision}: over stdio, through "stakewright mcp"`, async () => {
      const env = { STAKEWRIGHT_URL: service.url }
      const program = { command: process.execPath, args: [COMMAND_LINE, 'mcp'], env }
      await using mcp = await connectStdio(program, revision)
      await stakeByTools(mcp, walletOf(5 + at))
    })
  }
})

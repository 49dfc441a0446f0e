import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { connectMcp, connectStdio, ERAS, type Revision } from '../../server/test/mcp/mcp-client.ts'
import { walkToStake } from '../../server/test/mcp/walk-to-stake.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { type ServiceProcess, startByNpm } from './service-process.ts'

const COMMAND_LINE = join(import.meta.dirname, '..', '..', 'cli', 'src', 'main.ts')

/** Each walker has a wallet of its own. */
const walletOf = (digit: number): string => `0x${String(digit).repeat(64)}`

suite('an agent that reads nothing but tools and their answers has a stake executed', () => {
  const opened = new AsyncDisposableStack()
  let service: ServiceProcess

  before(async () => {
    const folder = opened.use(await tempFolder())
    service = opened.use(await startByNpm({ DATA_DIR: folder.path }))
  })
  after(() => opened.disposeAsync())

  for (const [at, revision] of (Object.keys(ERAS) as Revision[]).entries()) {
    test(`${revision}: over HTTP, of a service that npm start has started`, async () => {
      await using mcp = await connectMcp(service.url, revision)
      const calls = await walkToStake(mcp, walletOf(1 + at))
      assert(calls.length <= 8, calls.join(', '))
    })

    test(`${revision}: over standard input and output of the command line`, async () => {
      const env = { STAKEWRIGHT_URL: service.url }
      const program = { command: process.execPath, args: [COMMAND_LINE, 'mcp'], env }
      await using mcp = await connectStdio(program, revision)
      await walkToStake(mcp, walletOf(5 + at))
    })
  }
})

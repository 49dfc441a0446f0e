import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { admitAgent } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'
import { askStore } from '../support/test-store.ts'

const CALLERS = 64

/** Sends one request on its own connection; resolves with the status line. */
async function call(port: number, apiKey: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const head = ['host: x', 'connection: close', `x-api-key: ${apiKey}`]
  socket.write(`GET /api/v1/staking/agent/metadata HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  return (await text(socket)).split('\r\n')[0] ?? ''
}

test('simultaneous callers share commits, even if each has its own connection', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app, { rateLimits: { rpm: 1_000, rpd: 1_000 } })
  const port = Number(new URL(app.url).port)
  const statuses = await Promise.all(Array.from({ length: CALLERS }, () => call(port, apiKey)))
  assert.deepEqual(new Set(statuses), new Set(['HTTP/1.1 200 OK']))
  const commits = await askStore(app.folder, `select seq from audit_batches where body like '%"metadata"%'`)
  assert(commits.length <= CALLERS / 4, `${CALLERS} requests took ${commits.length} commits`)
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { until } from '../../server/test/support/until.ts'
import { countRequests } from './counted-requests.ts'
import { commandsOf, openReadersShell } from './documented-section.ts'
import { admitLiveAgent } from './live-agent.ts'
import { startService } from './service-process.ts'

const PLENTY = { LIMIT_IP_RPM: '1000000', LIMIT_GLOBAL_RPM: '1000000' }

/** Sends one request after the other until disposed. */
function openLoad(url: string, apiKey: string) {
  const client = createClient({ baseUrl: url, apiKey })
  let answered = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      await client.metadata()
      answered += 1
    }
  })()
  const stop = async () => {
    isOver = true
    await asking
  }
  return { answered: () => answered, [Symbol.asyncDispose]: stop }
}

test('a service started on a backup has agents, keys, counters and log of a single moment', async () => {
  await using folder = await tempFolder()
  const [data, backup, restored] = ['data', 'backup', 'restored'].map((name) => join(folder.path, name))
  assert(data && backup && restored)
  const [backUp = '', restore = '', ...others] = await commandsOf(
    'docs/operations.md',
    'Backing up the embedded store',
  )
  assert.deepEqual(others, [])
  await using shell = openReadersShell({ DATA_DIR: data, BACKUP: backup, RESTORED: restored })
  const agent = await (async () => {
    await using service = await startService({ DATA_DIR: data, ...PLENTY })
    const admitted = await admitLiveAgent(service.url, data)
    await using load = openLoad(service.url, admitted.apiKey)
    await until(() => load.answered() > 0)
    const before = load.answered()
    const { code, output } = await shell.run(backUp)
    assert.equal(code, 0, output)
    assert.match(output, /the audit log is intact/)
    const { logged, charged } = countRequests(backup)
    assert.equal(logged, charged)
    assert(charged >= before && charged <= load.answered() + 1)
    return { ...admitted, charged }
  })()
  const { code, output } = await shell.run(restore)
  assert.equal(code, 0, output)
  assert.match(output, /is intact/)
  await using service = await startService({ DATA_DIR: restored, ...PLENTY })
  const response = await fetch(`${service.url}/api/v1/staking/agent/usage`, {
    headers: { 'x-api-key': agent.apiKey },
  })
  assert.equal(response.status, 200)
  const of = (name: string) => Number(response.headers.get(`x-ratelimit-${name}-rpd`))
  assert.equal(of('limit') - of('remaining'), agent.charged + 1)
})

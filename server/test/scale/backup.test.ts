import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { toBatch } from '#adapters/sql/audit/batch.ts'
import { commandsOf, openReadersShell } from '../../../test/e2e/documented-section.ts'
import { startService } from '../../../test/e2e/service-process.ts'
import { canDump } from '../support/services/pg-dump.ts'
import { testDatabase } from '../support/services/postgres-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { adminToken, SECRETS } from './support/admin-token.ts'

const SETTINGS = { ...SECRETS, LIMIT_IP_RPM: '1000000', LIMIT_GLOBAL_RPM: '1000000', LOG_LEVEL: 'warn' }
const METADATA = '/api/v1/staking/agent/metadata'

async function registerAgent(url: string): Promise<string> {
  const limits = { rpm: 1_000_000, rpd: 1_000_000 }
  const response = await fetch(`${url}/api/v1/agents/register`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ agentName: 'scout', email: 'ann@example.com', rateLimits: limits }),
  })
  assert.equal(response.status, 201)
  return toAgent(await response.json()).apiKey
}

/** Guaranteed by the contract. */
function toAgent(body: unknown): { apiKey: string } {
  return (body as { data: { apiKey: string } }).data
}

/** How many requests are counted for the agent now, this one included. */
async function ask(url: string, apiKey: string): Promise<number> {
  const response = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } })
  assert.equal(response.status, 200, await response.text())
  const of = (name: string) => Number(response.headers.get(`x-ratelimit-${name}-rpd`))
  return of('limit') - of('remaining')
}

/** How many requests of agents the database has in its log, and how many it has counted. */
async function countRequests(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('select body from audit_batches')
    const intents = rows.flatMap(({ body }) => toBatch(String(body)).i)
    const { rows: sums } = await client.query('select sum(day_used)::integer as charged from agent_activity')
    return { logged: intents.filter(([, , agentNo]) => agentNo !== 0).length, charged: sums[0]?.charged }
  } finally {
    await client.end()
  }
}

test('instances that are started on a restored dump have the agents, keys, counts and log of one moment', async (t) => {
  await using database = await testDatabase()
  if (!(await canDump(database.url)))
    return t.skip('there is no pg_dump for this server: apt-get install postgresql-client')
  await using restored = await testDatabase()
  await using folder = await tempFolder()
  const [dump = '', restore = '', ...others] = await commandsOf('docs/operations.md', 'Backing up Postgres')
  assert.deepEqual(others, [])
  await using shell = openReadersShell({
    ...SECRETS,
    DATABASE_URL: database.url,
    RESTORED_URL: restored.url,
    BACKUP: join(folder.path, 'stakewright.dump'),
  })
  const env = { ...SETTINGS, DATA_DIR: folder.path }
  let apiKey = ''
  {
    await using service = await startService({ ...env, DATABASE_URL: database.url })
    apiKey = await registerAgent(service.url)
    const before = await ask(service.url, apiKey)
    const dumping = shell.run(dump)
    let isOver = false
    dumping.finally(() => {
      isOver = true
    })
    while (!isOver) await ask(service.url, apiKey)
    const { code, output } = await dumping
    assert.equal(code, 0, output)
    const { code: restoredCode, output: said } = await shell.run(restore)
    assert.equal(restoredCode, 0, said)
    assert.match(said, /The audit log is intact/)
    assert((await countRequests(restored.url)).charged >= before)
  }
  const { logged, charged } = await countRequests(restored.url)
  assert.equal(logged, charged)
  await using service = await startService({ ...env, DATABASE_URL: restored.url })
  assert.equal(await ask(service.url, apiKey), charged + 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { DAY_MS, HOUR_MS } from '../../src/durations.ts'
import { sendRaw } from '../support/raw-request.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { openServices } from './support/services.ts'

const LIMITS = { LIMIT_REGISTER_IP_HOUR: '3', LIMIT_REGISTER_IP_DAY: '10', LIMIT_REGISTER_DAY: '10' }
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']

/** Retries while the answer is 503. */
async function selfRegister(url: string, address: string, name: string): Promise<number> {
  const json = { email: `${name}@example.com`, agentName: 'stranger' }
  const headers = ['X-Forwarded-For', address]
  const { status } = await sendRaw(url, 'POST /api/v1/agents/self-register', { headers, json })
  return status === 503 ? selfRegister(url, address, name) : status
}

async function countRows(url: string, table: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select count(*) as rows from ${table}`)
    return Number(rows[0]?.rows)
  } finally {
    await client.end()
  }
}

test('all instances together admit no more registrations than the limits allow, each with agent and mail', async () => {
  await using database = await migratedDatabase()
  await using group = await openServices(3, {
    DATABASE_URL: database.url,
    TRUST_PROXY_HOPS: '1',
    ...LIMITS,
  })
  const { urls } = group
  const asked = ADDRESSES.flatMap((address, of) =>
    Array.from({ length: 10 }, (_, at) => ({
      address,
      name: `${of}-${at}`,
      url: urls[at % urls.length] ?? urls[0],
    })),
  )
  const startedAt = Date.now()
  const answers = await Promise.all(
    asked.map(async ({ url, address, name }) => ({
      address,
      status: await selfRegister(url, address, name),
    })),
  )
  /** Number of windows that the test touched: one, unless the hour or the day changed meanwhile. */
  const windows = (ms: number) => Math.floor(Date.now() / ms) - Math.floor(startedAt / ms) + 1
  const registered = answers.filter(({ status }) => status === 201)
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201, 429]))
  for (const address of ADDRESSES) {
    const ofAddress = registered.filter((answer) => answer.address === address)
    assert(ofAddress.length <= 3 * windows(HOUR_MS), address)
  }
  const agents = await countRows(database.url, 'agents')
  assert(agents >= 10 && agents <= 10 * windows(DAY_MS), `${agents} agents`)
  assert.equal(await countRows(database.url, 'outbox'), agents)
  // A try that was answered with 503 may have registered an agent.
  assert(registered.length <= agents)
})

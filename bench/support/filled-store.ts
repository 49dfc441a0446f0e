import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '@stakewright/client'
import { agentMac } from '@stakewright/server/adapters/sql/stores/keys/agent-seal.ts'
import { keyMac } from '@stakewright/server/adapters/sql/stores/keys/key-seal.ts'
import { openSecrets } from '@stakewright/server/adapters/system/system-secrets.ts'
import { startOn } from '../contenders/stakewright-contender.ts'
import { adminToken, SECRETS } from './agent-keys.ts'

export const REQUESTS_PER_BATCH = 1_000

const ID_LENGTH = 24
const DAY_MS = 86_400_000
const HISTORY_DAYS = 30
const PRIMARY = { id: null, scopes: null, networks: null, valid_until: null }
/** Makes keys and digests as the service does, so that it accepts them. */
const secrets = openSecrets({ keyPrefix: 'stk', pepper: SECRETS.KEY_PEPPER })

/** Fills a store with agents whose limits are too high to matter, and with a log of `batches`. Returns the keys. */
export async function fillStore(
  dataDir: string,
  agents: number,
  batches: number,
): Promise<readonly string[]> {
  const keys = Array.from({ length: agents }, () => secrets.newApiKey())
  const requests = Array.from({ length: REQUESTS_PER_BATCH }, (_, place) => requestOf(place, 0, place + 1))
  await fill(dataDir, (database) => {
    addAgents(database, keys)
    addBatches(database, batches, () => ({ day: 0, requests }))
  })
  return keys
}

/** Fills a store with one agent that has logged `requests` over the last thirty days. Returns its id. */
export async function fillHistory(dataDir: string, requests: number): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS)
  const batches = Math.ceil(requests / REQUESTS_PER_BATCH)
  await fill(dataDir, (database) => {
    addAgents(database, [secrets.newApiKey()])
    addBatches(database, batches, (seq, at) => {
      const day = today - HISTORY_DAYS + 1 + Math.floor((at * HISTORY_DAYS) / batches)
      const numbers = Array.from({ length: REQUESTS_PER_BATCH }, (_, place) => seq * 16_384 + place)
      return { day, requests: numbers.map((number) => requestOf(number, day * DAY_MS, 1)) }
    })
    const days = database.prepare(
      'insert or replace into agent_days (agent_no, day, tools, built, built_aware) values (1, ?, ?, 0, 0)',
    )
    const tools = JSON.stringify({ metadata: Math.ceil(requests / HISTORY_DAYS) })
    for (let back = 0; back < HISTORY_DAYS; back += 1) days.run(today - back, tools)
  })
  return idOf(0)
}

/** Makes a store, and fills it behind the service's back. */
async function fill(dataDir: string, add: (database: DatabaseSync) => void): Promise<void> {
  {
    await using _made = await startOn('made', dataDir)
  }
  {
    using database = new DatabaseSync(join(dataDir, 'stakewright.db'))
    database.exec('begin')
    add(database)
    database.exec('commit')
  }
  await catchUp(dataDir)
}

/** Rows inserted behind the service's back are not in its index yet; reading the log makes the index catch up. */
async function catchUp(dataDir: string): Promise<void> {
  await using filled = await startOn('filled', dataDir)
  const token = await adminToken('admin@example.com')
  await createClient({ baseUrl: `http://127.0.0.1:${filled.port}`, token }).agentAudit({ id: idOf(0) })
}

const idOf = (at: number) => `agt_${String(at).padStart(ID_LENGTH, '0')}`

function addAgents(database: DatabaseSync, keys: readonly string[]): void {
  const agent = database.prepare(
    `insert into agents (id, owner, name, type, identity_tier, tier, status, key_prefix, created_at, rpm, rpd)
     values (?, ?, 'x', 'bot', 'email_verified', 'enterprise', 'active', 'stk_xxxxxxxx', 0, 1000000, 1000000000)`,
  )
  const seal = database.prepare('update agents set mac = ? where no = ?')
  const key = database.prepare('insert into agent_keys (digest, agent_no, mac) values (?, ?, ?)')
  // As large as a row in use: a growing row splits pages, which happens only once in the life of an agent.
  const now = Date.now()
  const today = Math.floor(now / DAY_MS)
  const activity = database.prepare(
    `insert into agent_activity (agent_no, minute_start, minute_used, day_start, day_used, last_used_at,
       last_look_up_at, last_policy_check_at, latest_day, tools, built, built_aware)
     values (?, ${now - 60_000}, 1, ${today * DAY_MS}, 1, ${now - 60_000}, ${now}, ${now}, ${today}, '{"metadata":1}', 0, 0)`,
  )
  keys.forEach((text, at) => {
    const [id, owner, digest] = [idOf(at), `owner${at}@example.com`, secrets.digest('key', text)]
    const { lastInsertRowid } = agent.run(id, owner)
    const limits = { rpm: 1_000_000, rpd: 1_000_000_000, verify_by: null, policy_revision: null }
    const row = { no: Number(lastInsertRowid), id, owner, tier: 'enterprise', status: 'active', ...limits }
    seal.run(agentMac(secrets, row), lastInsertRowid)
    key.run(digest, lastInsertRowid, keyMac(secrets, id, { ...PRIMARY, digest }))
    activity.run(lastInsertRowid)
  })
}

/** A request as the log has it: its number, its time, and the number of its agent. */
const requestOf = (number: number, at: number, agent: number) => [number, at, agent, 'metadata', '192.0.2.0']

type Batch = { readonly day: number; readonly requests: readonly ReturnType<typeof requestOf>[] }

/** Appends batches to the log. */
function addBatches(
  database: DatabaseSync,
  batches: number,
  batchOf: (seq: number, at: number) => Batch,
): void {
  const { seq } = database.prepare('select coalesce(max(seq), 0) as seq from audit_batches').get() ?? {}
  const batch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, ?, ?, ?)')
  for (let at = 0; at < batches; at += 1) {
    const { day, requests } = batchOf(Number(seq) + at + 1, at)
    batch.run(Number(seq) + at + 1, day, JSON.stringify({ i: requests, o: [], r: [] }), '0'.repeat(64))
  }
}

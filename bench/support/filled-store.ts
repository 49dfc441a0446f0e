import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { createClient } from '@stakewright/client'
import { agentMac } from '@stakewright/server/adapters/sql/stores/keys/agent-seal.ts'
import { keyMac } from '@stakewright/server/adapters/sql/stores/keys/key-seal.ts'
import { openSecrets } from '@stakewright/server/adapters/system/system-secrets.ts'
import { type Contender, startContender } from '../contenders/contender.ts'
import { adminToken, SECRETS } from './agent-keys.ts'
import { UNLIMITED } from './beside-bare.ts'

export const REQUESTS_PER_BATCH = 1_000

const SERVER = fileURLToPath(new URL('../contenders/stakewright-server.ts', import.meta.url))
const ID_LENGTH = 24
const DAY_MS = 86_400_000
const PRIMARY = { id: null, scopes: null, networks: null, valid_until: null }
/** Makes keys and digests as the service does, so that it accepts them. */
const secrets = openSecrets({ keyPrefix: 'stk', pepper: SECRETS.KEY_PEPPER })

/** Starts the service on a filled store. */
export const startOn = (name: string, dataDir: string): Promise<Contender> =>
  startContender(name, SERVER, { ...UNLIMITED, ...SECRETS, TRUST_PROXY_HOPS: '1', DATA_DIR: dataDir })

/** Fills a store with agents whose limits are too high to matter, and with a log of `batches`. Returns the keys. */
export async function fillStore(
  dataDir: string,
  agents: number,
  batches: number,
): Promise<readonly string[]> {
  {
    await using _made = await startOn('made', dataDir)
  }
  const keys = Array.from({ length: agents }, () => secrets.newApiKey())
  {
    using database = new DatabaseSync(join(dataDir, 'stakewright.db'))
    database.exec('begin')
    addAgents(database, keys)
    addBatches(database, batches)
    database.exec('commit')
  }
  await catchUp(dataDir)
  return keys
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

/** Appends batches of `REQUESTS_PER_BATCH` records to the log. */
function addBatches(database: DatabaseSync, batches: number): void {
  const { seq } = database.prepare('select coalesce(max(seq), 0) as seq from audit_batches').get() ?? {}
  const batch = database.prepare('insert into audit_batches (seq, day, body, hash) values (?, 0, ?, ?)')
  const i = Array.from({ length: REQUESTS_PER_BATCH }, (_, place) => [
    place,
    0,
    place + 1,
    'metadata',
    '192.0.2.0',
  ])
  const body = JSON.stringify({ i, o: [], r: [] })
  for (let at = 1; at <= batches; at += 1) batch.run(Number(seq) + at, body, '0'.repeat(64))
}

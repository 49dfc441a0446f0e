import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@stakewright/client'
import pg from 'pg'
import { startOn } from './contenders/stakewright-contender.ts'
import { startStores } from './contenders/store-servers.ts'
import { AGENTS, adminEmail, adminToken, metadataRequests, registerAgents } from './support/agent-keys.ts'
import { putLoad } from './support/load.ts'

const DURATION_MS = 5_000
/** Concurrent requests: one, a few, and enough to fill a batch. */
const IN_FLIGHT = [1, 16, 32, 64]
/** A million requests a minute need as many agents: a builder has a hundred a minute. */
const MANY_AGENTS = 10_000

/** Measures the bytes stored per request: in the tables of Postgres, in its write-ahead log, and in the embedded database. */
export async function benchBytes(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    console.log('\nGET …/agent/metadata: bytes kept per request')
    console.log(
      '  store        agents   in flight   requests   per batch      log    index    other      WAL',
    )
    await onPostgres(folder)
    await embedded(folder)
    console.log('  (WAL of Postgres: with the first change of each page since a checkpoint, whole pages)')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Sizes = {
  readonly log: number
  readonly index: number
  readonly other: number
  readonly wal: number
  readonly batches: number
}

/** The audit log and its index are partitioned by day, hence the patterns. */
const POSTGRES_SIZES = `
  select
    coalesce(sum(pg_total_relation_size(oid)) filter (where relname like 'audit\\_batches%'), 0)::float8 as log,
    coalesce(sum(pg_total_relation_size(oid)) filter (where relname like 'agent\\_batches%'), 0)::float8 as index,
    coalesce(sum(pg_total_relation_size(oid)) filter (where relname !~ '^(audit|agent)_batches'), 0)::float8 as other,
    pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
    (select count(*) from audit_batches)::float8 as batches
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`

async function onPostgres(folder: string): Promise<void> {
  await using stores = await startStores()
  const url = await stores.database('stakewright')
  await using server = await startOn('Postgres', join(folder, 'shared'), { DATABASE_URL: url })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await measure('Postgres', server.port, async () => toSizes((await client.query(POSTGRES_SIZES)).rows[0]))
  } finally {
    await client.end()
  }
}

/** Guaranteed by the query: every column is a number. */
const toSizes = (row: unknown) => row as Sizes

/** Measures the database files without the WAL, whose commits are checkpointed into them continuously. */
async function embedded(folder: string): Promise<void> {
  const data = join(folder, 'embedded')
  await using server = await startOn('embedded', data)
  await measure('embedded', server.port, async () => {
    const files = readdirSync(data).filter((name) => name.endsWith('.db'))
    const size = files.reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
    return { log: size, index: 0, other: 0, wal: 0, batches: 0 }
  })
}

/** Brings the index of agents up to date, by reading the log of one of them. */
async function openLogReader(port: number): Promise<() => Promise<unknown>> {
  const client = await createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    token: await adminToken(adminEmail(AGENTS, 0)),
  })
  const { data } = await client.listAgents({ limit: 1 })
  const [agent] = data
  if (!agent) throw new Error('there are agents')
  return () => client.agentAudit({ id: agent.id, limit: 1 })
}

async function measure(store: string, port: number, read: () => Promise<Sizes>): Promise<void> {
  const few = metadataRequests(await registerAgents(port))
  const indexed = await openLogReader(port)
  for (const connections of IN_FLIGHT) await measureLoad(few, connections)
  await measureLoad(metadataRequests(await registerAgents(port, MANY_AGENTS)), 64)

  async function measureLoad(request: readonly string[], connections: number): Promise<void> {
    const load = { ports: [port], request, connections, expectStatus: 200 }
    // The first request of an agent writes more: its rows are new.
    await putLoad({ ...load, durationMs: request.length })
    await indexed()
    const before = await read()
    const { answers } = await putLoad({ ...load, durationMs: DURATION_MS })
    await indexed()
    const after = await read()
    const per = (figure: keyof Sizes) => ((after[figure] - before[figure]) / answers).toFixed(0).padStart(9)
    const batches = after.batches - before.batches
    const perBatch = batches > 0 ? (answers / batches).toFixed(1) : '–'
    console.log(
      `  ${store.padEnd(10)} ${String(request.length).padStart(8)} ${String(connections).padStart(11)}` +
        ` ${String(answers).padStart(10)} ${perBatch.padStart(11)}` +
        `${per('log')}${per('index')}${per('other')}${per('wal')}`,
    )
  }
}

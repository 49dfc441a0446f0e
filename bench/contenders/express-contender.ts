import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Contender, startContender } from './contender.ts'
import type { StoreServers } from './store-servers.ts'

const PROGRAM = fileURLToPath(new URL('express-stack.ts', import.meta.url))

const TABLES = `
  create table api_keys (id serial primary key, key_hash text not null unique);
  create table audit (
    id bigserial primary key, agent integer not null, at timestamptz not null,
    method text not null, path text not null, address text not null
  )`

export type ExpressSettings = {
  /** Three limits (per address, per key and minute, per key and day), or only the one per key and minute. */
  readonly limits: 'three' | 'one'
  readonly databaseUrl: string
  readonly redisUrl: string
  /** The file with the recorded answer. */
  readonly body: string
}

/** Creates a database with the tables of the express stack and these keys. */
export async function expressDatabase(stores: StoreServers, keys: readonly string[]): Promise<string> {
  const url = await stores.database('express')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(TABLES)
    const hashes = keys.map((key) => hash('sha256', key, 'hex'))
    await client.query('insert into api_keys (key_hash) select unnest($1::text[])', [hashes])
  } finally {
    await client.end()
  }
  return url
}

export function startExpress(name: string, settings: ExpressSettings): Promise<Contender> {
  return startContender(name, PROGRAM, {
    NODE_ENV: 'production',
    DATABASE_URL: settings.databaseUrl,
    REDIS_URL: settings.redisUrl,
    BENCH_ANSWER: settings.body,
    BENCH_LIMITS: settings.limits,
  })
}

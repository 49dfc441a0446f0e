import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../fault.ts'
import type { SqlStore } from './engine.ts'
import { migrate } from './migrations.ts'
import { toStoreFault } from './postgres-errors.ts'
import type { Schema } from './schema.ts'

export type PostgresOptions = {
  readonly logger: Logger
  /** Connections of this instance besides the one of admission. */
  readonly poolSize?: number
  readonly patience?: Patience
}

/** How long to wait for a connection, and for the answer to a statement. */
export type Patience = { readonly connectMs: number; readonly statementMs: number }

export type PostgresStore = SqlStore & {
  readonly kind: 'postgres'
  /** How a connection of one's own is opened: for work that must not wait for the pool. */
  readonly connection: pg.ClientConfig
  readonly patience: Patience
}

const OLDEST_VERSION = 150_000
const POOL_SIZE = 8
/** Getting a connection and asking one thing end within a second together: whoever waits is told in time. */
const PATIENCE: Patience = { connectMs: 400, statementMs: 550 }
/** The server gives up first, and says why. */
const SERVER_LEAD_MS = 20
/** Migrations wait for each other, and may take their time. */
const MIGRATION_MS = 120_000
const INT8 = 20

/** Opens the store on a Postgres server, and brings its tables up to date; of many instances one does. */
export async function openPostgres(
  url: string,
  { logger, poolSize = POOL_SIZE, patience = PATIENCE }: PostgresOptions,
): Promise<PostgresStore> {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: 'stakewright',
    connectionTimeoutMillis: patience.connectMs,
    statement_timeout: patience.statementMs,
    query_timeout: patience.statementMs + SERVER_LEAD_MS,
    idle_in_transaction_session_timeout: patience.statementMs * 10,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  }
  await using opened = new AsyncDisposableStack()
  const durable = { ...connection, ...(await prepareDatabase(connection, logger)) }
  const pool = new pg.Pool({ ...durable, max: poolSize, idleTimeoutMillis: 30_000 })
  // A connection that breaks while nobody uses it is nobody's error: the pool opens another one when it is needed.
  pool.on('error', (error) => logger.warn('a connection to Postgres broke', { reason: error.message }))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withFaults(pool) }) })
  opened.defer(() => db.destroy())
  const resources = opened.move()
  const close = () => resources.disposeAsync()
  return { kind: 'postgres', db, connection: durable, patience, [Symbol.asyncDispose]: close }
}

/** Numbers of ours fit into a JavaScript number: the largest are ticket numbers, checked where they are made. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  return oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)
}

/** Migrates with a connection of its own, which may wait longer, and returns what every other one has to set. */
async function prepareDatabase(connection: pg.ClientConfig, logger: Logger): Promise<pg.ClientConfig> {
  const patient = { ...connection, statement_timeout: MIGRATION_MS, query_timeout: MIGRATION_MS }
  const pool = new pg.Pool({ ...patient, connectionTimeoutMillis: 5_000, max: 1 })
  pool.on('error', () => {})
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: withFaults(pool) }) })
  try {
    await refuseOldServer(db)
    const applied = await migrate(db)
    if (applied.length > 0) logger.info('store migrated', { applied: applied.join(', ') })
    return await durableSettings(db, logger)
  } finally {
    await db.destroy()
  }
}

async function refuseOldServer(db: Kysely<Schema>): Promise<void> {
  const version = Number(await readSetting(db, 'server_version_num'))
  if (version >= OLDEST_VERSION) return
  throw new Fault('store_not_ready', `Postgres ${OLDEST_VERSION / 10_000} or newer is needed.`)
}

/** An acknowledged revocation must survive a crash of the server: what the server does less is asked for here. */
async function durableSettings(db: Kysely<Schema>, logger: Logger): Promise<pg.ClientConfig> {
  if ((await readSetting(db, 'synchronous_commit')) !== 'off') return {}
  logger.warn('Postgres has synchronous_commit = off; this service switches it on for its own connections')
  return { options: '-c synchronous_commit=on' }
}

async function readSetting(db: Kysely<Schema>, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
  return rows[0]?.value
}

/** Kysely's view of the pool: errors become refusals, and a connection that had trouble is not used again. */
function withFaults(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      try {
        return watchClient(await pool.connect())
      } catch (error) {
        throw toStoreFault(error)
      }
    },
    end: () => pool.end(),
  }
}

function watchClient(client: pg.PoolClient): PostgresPoolClient {
  let trouble: unknown
  const query = async (text: string, values: readonly unknown[]) => {
    if (trouble !== undefined) return afterTrouble(text, trouble)
    try {
      return await client.query(text, [...values])
    } catch (error) {
      const fault = toStoreFault(error)
      if (fault instanceof Fault) trouble = fault
      throw fault
    }
  }
  return toKyselyClient(query, () => client.release(trouble !== undefined))
}

/** The server undoes what is open when the connection ends; asking it to would only take more time. */
function afterTrouble(text: string, trouble: unknown) {
  if (text === 'rollback') return { command: 'ROLLBACK', rowCount: 0, rows: [] }
  throw trouble
}

type Query = (text: string, values: readonly unknown[]) => Promise<unknown>

/** Guaranteed by Kysely: it asks by text and values only, unless it was given a kind of cursor to use. */
function toKyselyClient(query: Query, release: () => void): PostgresPoolClient {
  return { query: query as PostgresPoolClient['query'], release }
}

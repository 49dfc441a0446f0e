import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'
import type { SqlStore } from '../engine.ts'
import { refuseDroppedInserts } from '../kept-inserts.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { type AuditDays, openAuditDays } from './audit/days.ts'
import { type PostgresHosts, postgresHosts } from './connections/hosts.ts'
import { openPool, SERVER_LEAD_MS } from './connections/pool.ts'
import type { Timeouts } from './connections/session.ts'
import { refuseTransactionPooler } from './connections/session-pooler.ts'
import { toStartFault } from './errors.ts'
import { parserOf } from './parsers.ts'
import { readBackSettings } from './settings.ts'

type PostgresOptions = {
  readonly logger: Logger
  /** Size of the connection pool; admission has a connection of its own. */
  readonly poolSize?: number
  readonly timeouts?: Timeouts
  /** Age of the request being served. */
  readonly requestAgeMs?: () => number
}

export type PostgresStore = SqlStore & {
  readonly kind: 'postgres'
  /** Options for a dedicated connection outside the pool. */
  readonly connection: pg.ClientConfig
  readonly hosts: PostgresHosts
  readonly timeouts: Timeouts
  readonly auditDays: AuditDays
}

const OLDEST_VERSION = 150_000
const POOL_SIZE = 8
/** Less than a second for a whole request. A lock times out before its statement, so that the error names it. */
const TIMEOUTS: Timeouts = { connectMs: 400, statementMs: 550, lockMs: 400 }
/** Migrations wait for those of other instances, and may take long. */
const MIGRATION: Timeouts = { connectMs: 5_000, statementMs: 120_000 }

/** Opens the store on a Postgres server and migrates its tables; only one of many instances migrates. */
export async function openPostgres(
  urls: string | readonly [string, ...string[]],
  { logger, poolSize = POOL_SIZE, timeouts = TIMEOUTS, requestAgeMs }: PostgresOptions,
): Promise<PostgresStore> {
  const hosts = postgresHosts(typeof urls === 'string' ? [urls] : urls)
  const risks = await prepareAny(hosts, logger)
  const connection = connectionWith(timeouts)
  const pool = openPool(connection, {
    hosts,
    size: poolSize,
    timeouts,
    logger,
    ...(requestAgeMs && { requestAgeMs }),
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [refuseDroppedInserts()] })
  const close = () => db.destroy()
  const auditDays = openAuditDays(db)
  return { kind: 'postgres', db, risks, connection, hosts, timeouts, auditDays, [Symbol.asyncDispose]: close }
}

const connectionWith = ({ statementMs }: Timeouts): pg.ClientConfig => ({
  application_name: 'stakewright',
  query_timeout: statementMs + SERVER_LEAD_MS,
  keepAlive: true,
  types: { getTypeParser: parserOf },
})

/** Prepares the database on the first host that allows it. */
async function prepareAny(hosts: PostgresHosts, logger: Logger): Promise<readonly string[]> {
  for (let left = hosts.count - 1; ; left -= 1) {
    const url = hosts.url()
    try {
      return await prepareDatabase(url, logger)
    } catch (error) {
      if (left <= 0) throw error
      hosts.markFailed(url)
    }
  }
}

/** Migrates on a separate connection with longer timeouts. Resolves with risky server settings. */
async function prepareDatabase(url: string, logger: Logger): Promise<readonly string[]> {
  const connection = connectionWith(MIGRATION)
  const options = { hosts: postgresHosts([url]), size: 1, timeouts: MIGRATION, logger }
  const pool = openPool(connection, options)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseOldServer(db)
    await refuseTransactionPooler({
      ...connection,
      connectionString: url,
      connectionTimeoutMillis: MIGRATION.connectMs,
    })
    const applied = await migrate(db)
    if (applied.length > 0) logger.info('store migrated', { applied: applied.join(', ') })
    return await readBackSettings(db)
  } catch (error) {
    throw toStartFault(error)
  } finally {
    await db.destroy()
  }
}

async function refuseOldServer(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db)
  if (Number(rows[0]?.version) >= OLDEST_VERSION) return
  throw new Fault('store_not_ready', `Postgres ${OLDEST_VERSION / 10_000} or newer is needed.`)
}

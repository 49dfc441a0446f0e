import type { SqlStore } from '#adapters/sql/engine.ts'
import type { Timeouts } from '#adapters/sql/postgres/connections/session.ts'
import type { PostgresStore } from '#adapters/sql/postgres/open.ts'
import { openSqliteAdmission } from '#adapters/sql/sqlite/admission.ts'
import { sqliteAgentBatches } from '#adapters/sql/sqlite/audit/agent-batches.ts'
import { openSqliteAuditUpkeep } from '#adapters/sql/sqlite/audit/upkeep.ts'
import { openSqlite, type SqliteStore } from '#adapters/sql/sqlite/open.ts'
import { sqlRequestLog } from '#adapters/sql/stores/request-log.ts'
import { mostCachedAgents } from '#adapters/system/most-cached.ts'
import { requestAgeMs } from '#adapters/system/request-age.ts'
import { warnOfOpenFiles } from '#adapters/system/warn-of-open-files.ts'
import type { Logger } from '#ports/logger.ts'
import type { Config } from '../config.ts'
import type { AdmissionNeeds, AdmissionParts } from './admission-parts.ts'

/** Imported lazily, so that an embedded service does not load the drivers of other stores. */
const loadPostgres = () => import('./open-postgres.ts')

/** Opens the configured store: SQLite for one process, or Postgres for several instances. */
export async function openStore(
  { database }: Config,
  logger: Logger,
  timeouts?: Timeouts,
): Promise<SqliteStore | PostgresStore> {
  if (database.kind === 'postgres') {
    const { openPostgres } = await loadPostgres()
    return warnOfRisks(
      await openPostgres(database.urls, { logger, requestAgeMs, ...(timeouts && { timeouts }) }),
      logger,
    )
  }
  const store = await openSqlite(database.folder, { synchronous: database.synchronous })
  warnOfOpenFiles(database.folder, logger)
  return warnOfRisks(store, logger)
}

function warnOfRisks<T extends SqlStore>(store: T, logger: Logger): T {
  for (const risk of store.risks) logger.warn(risk)
  return store
}

/** Opens the parts of the store that admission and its jobs need. */
export async function openAdmission(
  config: Config,
  store: SqliteStore | PostgresStore,
  needs: AdmissionNeeds,
): Promise<AdmissionParts> {
  await using opened = new AsyncDisposableStack()
  const parts =
    store.kind === 'sqlite'
      ? await embeddedParts(opened, store, needs)
      : await (await loadPostgres()).openPostgresParts(opened, config, store, needs)
  const resources = opened.move()
  return { ...parts, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function embeddedParts(opened: AsyncDisposableStack, store: SqliteStore, needs: AdmissionNeeds) {
  const admission = opened.use(
    await openSqliteAdmission({ store, ...needs, sizes: { cached: mostCachedAgents() } }),
  )
  const upkeep = await openSqliteAuditUpkeep({ store, seal: needs.seal, secrets: needs.secrets })
  const requestLog = sqlRequestLog(store.db, await sqliteAgentBatches(store, needs.seal))
  return { admission, upkeep, requestLog, traffic: undefined, leases: undefined, counterRisks: [] }
}

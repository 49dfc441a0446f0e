import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { type Copied, copyStore } from '#adapters/sql/copy-store.ts'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import type { Database } from '#adapters/sql/schema.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { checkPepper } from '#adapters/sql/stores/keys/pepper.ts'
import { loadSecret } from '#adapters/system/secrets.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Logger } from '#ports/logger.ts'
import { verifyStore } from '#wiring/audit/verify-store.ts'
import { Fault, refusal } from '../fault.ts'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }
/** A large table takes its time, and nobody else uses the new store yet. */
const TIMEOUTS = { connectMs: 5_000, statementMs: 600_000 }

/**
 * Copies the embedded store of a stopped service into an empty database on Postgres. `pepper` is the value of
 * KEY_PEPPER, for a service that has it there and not in the folder.
 */
export async function migrateStore(folder: string, databaseUrl: string, pepper?: string): Promise<Copied> {
  if (!existsSync(join(folder, 'stakewright.db'))) {
    throw refusal('not_found', `There is no database in ${folder}.`, 'Name the folder of the service.')
  }
  await using opened = new AsyncDisposableStack()
  const from = opened.use(await openSqlite(folder))
  const present = await presentPepper(from.db, folder, pepper)
  await refuseBrokenLog(folder, present)
  const to = opened.use(await openPostgres(databaseUrl, { logger: SILENT, timeouts: TIMEOUTS }))
  return await copyStore({ from, to, seal: auditSeal(present) })
}

/** The pepper that the store was begun with: sealed with another one, the log would look changed in the new store. */
async function presentPepper(db: Database, folder: string, given: string | undefined): Promise<string> {
  if (given === undefined && !existsSync(join(folder, 'key-pepper'))) {
    throw new Fault(
      'store_not_ready',
      `There is no file key-pepper in ${folder}. Set KEY_PEPPER to what the service had. Nothing was copied.`,
    )
  }
  const pepper = await loadSecret(folder, 'key-pepper', given)
  await checkPepper(db, openSecrets({ keyPrefix: '', pepper }))
  return pepper
}

/** The log is sealed anew in the new store: what was changed in the old one could not be seen any more. */
async function refuseBrokenLog(folder: string, pepper: string): Promise<void> {
  const verdict = await verifyStore({
    database: { kind: 'sqlite', folder, synchronous: 'full' },
    pepper,
    anchors: [],
  })
  if (verdict.kind === 'intact') return
  throw new Fault(
    'store_not_ready',
    `The audit log in ${folder} is not as it was written, from batch ${verdict.seq} on: ${verdict.reason}. Nothing was copied.`,
  )
}

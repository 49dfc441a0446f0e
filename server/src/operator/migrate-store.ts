import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { type Copied, copyStore } from '#adapters/sql/copy-store.ts'
import { openPostgres } from '#adapters/sql/postgres/open.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { verifyStore } from '#wiring/audit/verify-store.ts'
import { Fault, refusal } from '../fault.ts'
import { presentSecret, refuseOtherPepper } from './present-secrets.ts'
import { SILENT } from './silent.ts'

/** Long statement timeout: large tables take long, and nobody else uses the new store yet. */
const TIMEOUTS = { connectMs: 5_000, statementMs: 600_000 }

/**
 * Copies the embedded store of a stopped service into an empty database on Postgres. `pepper` is the value of
 * KEY_PEPPER, for a service that has it there and not in the folder.
 */
export async function migrateStore(
  folder: string,
  urls: Parameters<typeof openPostgres>[0],
  pepper?: string,
): Promise<Copied> {
  if (!existsSync(join(folder, 'stakewright.db'))) {
    throw refusal('not_found', `There is no database in ${folder}.`, 'Name the folder of the service.')
  }
  // Sealed with another pepper, the log would look tampered with in the new store.
  const present = await presentSecret('key-pepper', folder, pepper, 'copied')
  await using opened = new AsyncDisposableStack()
  const from = opened.use(await openSqlite(folder))
  await refuseOtherPepper(from.db, openSecrets({ keyPrefix: '', pepper: present }))
  await refuseBrokenLog(folder, present)
  const to = opened.use(await openPostgres(urls, { logger: SILENT, timeouts: TIMEOUTS }))
  return await copyStore({ from, to, seal: auditSeal(present) })
}

/** Refuses a broken log, because sealing it again in the new store would hide the change. */
async function refuseBrokenLog(folder: string, pepper: string): Promise<void> {
  const verdict = await verifyStore({
    database: { kind: 'sqlite', folder, synchronous: 'full' },
    pepper,
    anchors: [],
  })
  if (verdict.kind === 'intact') return
  const what =
    verdict.seq === 0
      ? `The store in ${folder} does not pass the verification of its audit log`
      : `The audit log in ${folder} was changed after it was written, from batch ${verdict.seq} on`
  throw new Fault('store_not_ready', `${what}: ${verdict.reason}. Nothing was copied.`)
}

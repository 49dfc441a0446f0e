import type { Kysely, Transaction } from 'kysely'
import { Fault } from '../../fault.ts'
import { boundLockWait, lockSection } from './engine.ts'
import { createChainData } from './migrations/chain/0001-chain-tables.ts'
import { createForecasts } from './migrations/chain/0012-forecasts.ts'
import { createSnapshotMarks } from './migrations/chain/0018-snapshot-marks.ts'
import { createReadRates } from './migrations/chain/0021-read-rates.ts'
import { createEpochCommissions } from './migrations/chain/0031-epoch-commissions.ts'
import { addCommissionSources } from './migrations/chain/0032-commission-sources.ts'
import { createIdentity } from './migrations/identity/0002-identity.ts'
import { createSignIn } from './migrations/identity/0003-sign-in.ts'
import { createAgentActions } from './migrations/identity/0008-agent-actions.ts'
import { createWalletChallenges } from './migrations/identity/0009-wallet-challenges.ts'
import { createNamedKeys } from './migrations/identity/0010-named-keys.ts'
import { createDoneRequests } from './migrations/identity/0011-done-requests.ts'
import { createSessions } from './migrations/identity/0013-sessions.ts'
import { createAdminFactors } from './migrations/identity/0020-admin-factors.ts'
import { addAgentSeals } from './migrations/identity/0024-agent-seals.ts'
import { addActionDetails } from './migrations/identity/0027-action-details.ts'
import { addIssuersOfSessions } from './migrations/identity/0029-issued-sessions.ts'
import { createPolicies } from './migrations/mandates/0014-policies.ts'
import { createReservations } from './migrations/mandates/0015-reservations.ts'
import { createKeptBuilds } from './migrations/mandates/0016-kept-builds.ts'
import { createApprovals } from './migrations/mandates/0017-approvals.ts'
import { createAgesOfMandates } from './migrations/mandates/0019-ages-of-mandates.ts'
import { addReasonsOfApprovals } from './migrations/mandates/0022-reasons-of-approvals.ts'
import { createSeenReservations } from './migrations/mandates/0023-seen-reservations.ts'
import { sealMandates } from './migrations/mandates/0025-sealed-mandates.ts'
import { sealApprovals } from './migrations/mandates/0026-sealed-approvals.ts'
import { addLaterDates } from './migrations/mandates/0030-later-dates.ts'
import { createAdmission } from './migrations/requests/0004-admission.ts'
import { createAudit } from './migrations/requests/0005-audit.ts'
import { createForManyInstances } from './migrations/requests/0006-many-instances.ts'
import { createSeals } from './migrations/requests/0007-seals.ts'
import { addSignedActions } from './migrations/requests/0028-signed-actions.ts'
import { addLatestDays } from './migrations/requests/0033-latest-days.ts'
import type { Schema } from './schema.ts'

type Migration = { readonly name: string; readonly up: (db: Kysely<Schema>) => Promise<void> }

/**
 * Forward only and in this order, whatever their folders; a released name is never changed or removed.
 * Migrations only add, so that the previous version runs on this version's tables. Column types mean the same
 * to SQLite and Postgres.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-chain-tables', up: createChainData },
  { name: '0002-identity', up: createIdentity },
  { name: '0003-sign-in', up: createSignIn },
  { name: '0004-admission', up: createAdmission },
  { name: '0005-audit', up: createAudit },
  { name: '0006-many-instances', up: createForManyInstances },
  { name: '0007-seals', up: createSeals },
  { name: '0008-agent-actions', up: createAgentActions },
  { name: '0009-wallet-challenges', up: createWalletChallenges },
  { name: '0010-named-keys', up: createNamedKeys },
  { name: '0011-done-requests', up: createDoneRequests },
  { name: '0012-forecasts', up: createForecasts },
  { name: '0013-sessions', up: createSessions },
  { name: '0014-policies', up: createPolicies },
  { name: '0015-reservations', up: createReservations },
  { name: '0016-kept-builds', up: createKeptBuilds },
  { name: '0017-approvals', up: createApprovals },
  { name: '0018-snapshot-marks', up: createSnapshotMarks },
  { name: '0019-ages-of-mandates', up: createAgesOfMandates },
  { name: '0020-admin-factors', up: createAdminFactors },
  { name: '0021-read-rates', up: createReadRates },
  { name: '0022-reasons-of-approvals', up: addReasonsOfApprovals },
  { name: '0023-seen-reservations', up: createSeenReservations },
  { name: '0024-agent-seals', up: addAgentSeals },
  { name: '0025-sealed-mandates', up: sealMandates },
  { name: '0026-sealed-approvals', up: sealApprovals },
  { name: '0027-action-details', up: addActionDetails },
  { name: '0028-signed-actions', up: addSignedActions },
  { name: '0029-issued-sessions', up: addIssuersOfSessions },
  { name: '0030-later-dates', up: addLaterDates },
  { name: '0031-epoch-commissions', up: createEpochCommissions },
  { name: '0032-commission-sources', up: addCommissionSources },
  { name: '0033-latest-days', up: addLatestDays },
]

/** The first migration of every version before the first release. */
const BEFORE_FIRST_RELEASE = '0001-chain-data'

/** Whether the tables are of unreleased versions: they cannot be migrated, and their rows may have no seals. */
export const isUnreleased = (applied: Iterable<string>): boolean => new Set(applied).has(BEFORE_FIRST_RELEASE)

/** `where` is what was written, `fix` how to begin anew. */
export const unreleased = (where: string, fix: string): Fault =>
  new Fault(
    'store_not_ready',
    `${where} was written by a version before the first release, and this version does not accept its rows. Nothing was changed. ${fix}`,
  )

/** Requests of other instances wait no longer than this; a start that meets a lock tries again. */
const TABLE_LOCK_MS = 300

/**
 * Applies missing migrations, each in its own transaction, and returns their names. Of many instances that
 * start at once, only one applies each.
 */
export async function migrate(db: Kysely<Schema>): Promise<readonly string[]> {
  const applied: string[] = []
  const known = await db.transaction().execute(readApplied)
  if (isUnreleased(known))
    throw unreleased('The database', 'Start with an empty database and an empty DATA_DIR.')
  for (const { name, up } of MIGRATIONS.filter((migration) => !known.has(migration.name))) {
    const isOurs = await db.transaction().execute(async (transaction) => {
      if ((await readApplied(transaction)).has(name)) return false
      await boundLockWait(transaction, TABLE_LOCK_MS)
      await up(transaction)
      await transaction.insertInto('migrations').values({ name }).execute()
      return true
    })
    if (isOurs) applied.push(name)
  }
  return applied
}

async function readApplied(transaction: Transaction<Schema>): Promise<ReadonlySet<string>> {
  await lockSection(transaction, 'migrations')
  await transaction.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .execute()
  const rows = await transaction.selectFrom('migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

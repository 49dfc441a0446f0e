import { anchorFileName } from '#adapters/sql/audit/anchor-files.ts'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import type { AuditVerdict } from '#adapters/sql/audit/verify/verdict.ts'
import { readAuditKey } from '#adapters/sql/sqlite/audit/verify.ts'
import { backUpSqlite } from '#adapters/sql/sqlite/backup.ts'
import type { Config } from '../config.ts'
import { refusal } from '../fault.ts'
import { refuseEmptyFolder } from './operated-store.ts'
import { verifyAuditLog } from './operator.ts'
import { presentSecret } from './present-secrets.ts'

/** Secret files without which the data cannot be used. Secrets in variables must be backed up by the operator. */
const SECRET_FILES = ['key-pepper', 'jwt-secret', 'intent-key', AUDIT_KEY_FILE]

/**
 * Copies the data of a service, which may be running, into a new folder. Returns the verdict on the copied audit log.
 */
export async function backUpStore(config: Config, to: string): Promise<AuditVerdict> {
  const { database, dataDir, keys } = config
  if (database.kind !== 'sqlite')
    throw refusal('invalid_input', 'The data are in Postgres.', 'Back them up with pg_dump.')
  refuseEmptyFolder(database.folder)
  await presentSecret('key-pepper', dataDir, keys.pepper, 'copied')
  await readAuditKey(database.folder)
  await backUpSqlite(database.folder, to, SECRET_FILES, anchorFileName('sqlite'))
  return verifyAuditLog({
    ...config,
    dataDir: to,
    database: { ...database, folder: to },
    auditAnchorFile: undefined,
  })
}

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  type AdmittedRequest,
  type Outcome,
  toBatch,
  type WeightedRefusal,
} from '#adapters/sql/audit/batch.ts'
import { askStore } from '../support/test-store.ts'

export type Audit = {
  readonly admitted: readonly AdmittedRequest[]
  readonly outcomes: readonly Outcome[]
  readonly refusals: readonly WeightedRefusal[]
}

const BATCHES = 'select body from audit_batches order by seq'

/** All entries of the audit log in the folder, in order. */
export function readAudit(folder: string): Audit {
  using database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true })
  return toAudit(database.prepare(BATCHES).all())
}

/** Like `readAudit`, for the store of the folder's service, whichever engine it has. */
export const readAuditOf = async (folder: string): Promise<Audit> => toAudit(await askStore(folder, BATCHES))

function toAudit(rows: readonly Readonly<Record<string, unknown>>[]): Audit {
  const batches = rows.map((row) => toBatch(String(row['body'])))
  return {
    admitted: batches.flatMap(({ i }) => i),
    outcomes: batches.flatMap(({ o }) => o),
    refusals: batches.flatMap(({ r }) => r),
  }
}

/** The number of requests in the log: admitted ones and refusals by their weight. */
export const weightOf = ({ admitted, refusals }: Audit): number =>
  admitted.length + refusals.reduce((sum, [, , , , weight]) => sum + weight, 0)

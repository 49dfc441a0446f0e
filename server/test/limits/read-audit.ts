import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Intent, type Outcome, toBatch, type WeightedRefusal } from '#adapters/sql/audit-batch.ts'

export type Audit = {
  readonly intents: readonly Intent[]
  readonly outcomes: readonly Outcome[]
  readonly refusals: readonly WeightedRefusal[]
}

/** Everything that the audit log in the folder holds, in order. */
export function readAudit(folder: string): Audit {
  using database = new DatabaseSync(join(folder, 'stakewright.db'), { readOnly: true })
  const rows = database.prepare('select body from audit_batches order by seq').all()
  const batches = rows.map((row) => toBatch(String(row['body'])))
  return {
    intents: batches.flatMap(({ i }) => i),
    outcomes: batches.flatMap(({ o }) => o),
    refusals: batches.flatMap(({ r }) => r),
  }
}

/** How many requests the log tells of. */
export const weightOf = ({ intents, refusals }: Audit): number =>
  intents.length + refusals.reduce((sum, [, , , , weight]) => sum + weight, 0)

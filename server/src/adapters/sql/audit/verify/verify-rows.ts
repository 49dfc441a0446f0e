import type { Anchored, AuditAnchor } from '#ports/stores/audit-anchor.ts'
import { DAY_MS } from '../../../../durations.ts'
import { pepperDigest } from '../../stores/keys/pepper.ts'
import { type Digests, type StoredRows, toRows } from '../stored-rows.ts'
import { Broken } from './verdict.ts'
import { verifyActions } from './verify-actions.ts'
import { verifyAgents } from './verify-agents.ts'
import { verifySeals } from './verify-seals.ts'
import { verifyTables } from './verify-tables.ts'

/** Runs first: a missing table must not pass for an empty one. */
export const verifyPresence = async (rows: StoredRows): Promise<void> =>
  verifyTables(rows.engine, await rows.tables(), async () =>
    toRows<{ name: string }>(await rows.read('migrations')).map(({ name }) => name),
  )

/** The inputs of the verification, besides the rows. */
export type RowsCheck = {
  readonly secrets: Digests
  /** The number of days after its end for which an approval is kept. */
  readonly approvalsKeptDays: number
}

/** What the log of requests proves: the agents in it, its newest day, and the actions in its checkpoints and anchors. */
type Logged = {
  readonly agents: ReadonlySet<number>
  readonly newestDay: number | undefined
  readonly anchors: readonly AuditAnchor[]
  readonly signed: readonly Anchored[]
}

/** Verifies actions, agents and mandates. */
export async function verifyRows(
  rows: StoredRows,
  { secrets, approvalsKeptDays }: RowsCheck,
  { agents, newestDay, anchors, signed }: Logged,
): Promise<void> {
  await verifyPepper(rows, secrets)
  await verifyActions(rows, secrets, [...anchors.map(({ action }) => action), ...signed])
  await verifySeals(rows, secrets)
  await verifyAgents(rows, agents, sinceWhenKept(newestDay, approvalsKeptDays))
}

/** Retention counts back from the newest day of the log or the day after it, and drops nothing without a log. */
const sinceWhenKept = (newestDay: number | undefined, keptDays: number): number =>
  newestDay === undefined ? 0 : (newestDay + 1 - keptDays) * DAY_MS

/** Checked before all seals: with another pepper every seal would fail, and the reported reason would mislead. */
async function verifyPepper(rows: StoredRows, secrets: Digests): Promise<void> {
  const notes = toRows<{ name: string; value: string }>(await rows.read('seals'))
  const { name, value } = pepperDigest(secrets)
  const kept = notes.find((note) => note.name === name)
  if (!kept) throw new Broken(0, 'the stored digest of the pepper is missing')
  if (kept.value !== value)
    throw new Broken(
      0,
      'the pepper differs from the one that this store was created with, or its stored digest was changed: check KEY_PEPPER, or the file key-pepper in DATA_DIR',
    )
}

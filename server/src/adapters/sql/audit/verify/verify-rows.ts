import type { Anchored, AuditAnchor } from '#ports/stores/audit-anchor.ts'
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

/** Verifies actions, agents and mandates. `logged`: agents in the log; `signed`: actions in checkpoints. */
export async function verifyRows(
  rows: StoredRows,
  secrets: Digests,
  { anchors, signed }: { readonly anchors: readonly AuditAnchor[]; readonly signed: readonly Anchored[] },
  logged: ReadonlySet<number>,
): Promise<void> {
  await verifyPepper(rows, secrets)
  await verifyActions(rows, secrets, [...anchors.map(({ action }) => action), ...signed])
  await verifySeals(rows, secrets)
  await verifyAgents(rows, logged)
}

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

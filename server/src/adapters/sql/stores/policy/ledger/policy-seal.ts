import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../../schema.ts'
import { notKept } from '../../keys/assert-kept.ts'

export type PolicyRow = Selectable<Schema['policies']>

type Digest = Pick<Secrets, 'digest'>

/** What the first revision follows. */
const BEGINNING = ''

/** Binds a revision and, by the seal of the one before it, all of the history: none can be loosened, ended or left out. */
export const policyMac = (secrets: Digest, row: Omit<PolicyRow, 'mac'>, previous: string): string =>
  secrets.digest(
    'policy record',
    JSON.stringify([
      row.agent_no,
      row.revision,
      row.hash,
      row.document,
      row.changed_at,
      row.changed_by,
      row.changed_role,
      row.loosen_ms,
      row.holds_until,
      previous,
    ]),
  )

/** Whether these, from the first on, are the revisions that the service has written, and all of them. */
export function arePolicies(secrets: Digest, rows: readonly PolicyRow[]): boolean {
  let previous = BEGINNING
  return rows.every((row, index) => {
    const isLast = index === rows.length - 1
    const isGenuine =
      row.revision === index + 1 &&
      (row.holds_until === null) === isLast &&
      row.mac === policyMac(secrets, row, previous)
    previous = row.mac ?? BEGINNING
    return isGenuine
  })
}

/** The same revisions as those of an agent, sealed for it. */
export function sealPolicies(
  secrets: Digest,
  rows: readonly PolicyRow[],
  agentNo: number,
): readonly (PolicyRow & { readonly mac: string })[] {
  let previous = BEGINNING
  return rows.map((row) => {
    const moved = { ...row, agent_no: agentNo }
    previous = policyMac(secrets, moved, previous)
    return { ...moved, mac: previous }
  })
}

export const policiesOf = (db: Database, agentNo: number): Promise<readonly PolicyRow[]> =>
  db.selectFrom('policies').selectAll().where('agent_no', '=', agentNo).orderBy('revision').execute()

/**
 * Ends the revision before, and adds the new one under a seal that follows it. What was changed behind the back of the
 * service keeps the seal that it does not match, and so does all that follows it.
 */
export async function addSealed(
  transaction: Transaction<Schema>,
  secrets: Digest,
  row: Omit<PolicyRow, 'mac'>,
): Promise<void> {
  const before = await policiesOf(transaction, row.agent_no)
  const last = before.at(-1)
  let previous = last?.mac ?? BEGINNING
  if (last) {
    const ended = { ...last, holds_until: last.loosen_ms + row.changed_at }
    if (arePolicies(secrets, before)) previous = policyMac(secrets, ended, before.at(-2)?.mac ?? BEGINNING)
    await transaction
      .updateTable('policies')
      .set({ holds_until: ended.holds_until, mac: last.mac === null ? null : previous })
      .where('agent_no', '=', row.agent_no)
      .where('revision', '=', last.revision)
      .execute()
  }
  const mac = policyMac(secrets, row, previous)
  await transaction
    .insertInto('policies')
    .values({ ...row, mac })
    .execute()
  const kept = await policiesOf(transaction, row.agent_no)
  const isKept = kept.length === before.length + 1 && kept.at(-1)?.mac === mac
  if (!isKept || (last && kept.at(-2)?.holds_until === null)) throw notKept('policies')
}

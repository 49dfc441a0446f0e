import type { Selectable, Transaction } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../../../schema.ts'
import { notPersisted } from '../../keys/assert-persisted.ts'

export type PolicyRow = Selectable<Schema['policies']>

type Digest = Pick<Secrets, 'digest'>

/** Takes the place of the previous MAC for the first revision. */
const BEGINNING = ''

/** Covers a revision and, by the previous MAC, the whole history: none can be loosened, ended or removed. */
const policyMac = (secrets: Digest, row: Omit<PolicyRow, 'mac'>, previous: string): string =>
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

/** Whether these are all revisions from the first on, with valid seals. */
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

/** Copies of the revisions for another agent, with new seals. */
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
 * Ends the previous revision and adds the new one with a MAC that follows it. Revisions that were tampered
 * with keep their wrong MAC, which invalidates all that follow.
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
  const [kept, ended] = await transaction
    .selectFrom('policies')
    .select(['revision', 'mac', 'holds_until'])
    .where('agent_no', '=', row.agent_no)
    .orderBy('revision', 'desc')
    .limit(2)
    .execute()
  const isKept = kept?.revision === row.revision && kept.mac === mac
  if (!isKept || (last && ended?.holds_until === null)) throw notPersisted('policies')
}

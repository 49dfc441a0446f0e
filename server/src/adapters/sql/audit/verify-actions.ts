import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Selectable } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { Database, Schema } from '../schema.ts'
import { actionMac, CHAIN_START } from '../stores/agent-actions.ts'
import type { AuditVerdict } from './verdict.ts'

type Row = Selectable<Schema['agent_actions']>
type Digests = Pick<Secrets, 'digest'>
type BrokenVerdict = Extract<AuditVerdict, { kind: 'broken' }>

/** The first recorded action that is not as it was written, or that follows one that is missing. */
export function firstBrokenAction(
  rows: Iterable<Row>,
  secrets: Digests,
  anchors: readonly AuditAnchor[],
): BrokenVerdict | undefined {
  const anchored = new Map(anchors.map(({ action }) => [action.no, action.hash]))
  anchored.delete(0)
  let previous = CHAIN_START
  for (const { mac, no, ...content } of rows) {
    if (content.previous !== previous) return broken(no, 'does not follow the one before it')
    if (actionMac(secrets, content) !== mac) return broken(no, 'is not as it was written')
    if ((anchored.get(no) ?? mac) !== mac) return broken(no, 'is not the one that was anchored')
    anchored.delete(no)
    previous = mac
  }
  const [missing] = anchored.keys()
  return missing === undefined ? undefined : broken(missing, 'was anchored and is missing')
}

const broken = (no: number, what: string): BrokenVerdict => ({
  kind: 'broken',
  seq: no,
  reason: `the management action ${no} ${what}`,
})

/** Reads the embedded store, also beside the running service. */
export function brokenActionOfFolder(
  folder: string,
  secrets: Digests,
  anchors: readonly AuditAnchor[],
): BrokenVerdict | undefined {
  const file = join(folder, 'stakewright.db')
  if (!existsSync(file)) return undefined
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  const table = database.prepare("select 1 from sqlite_master where name = 'agent_actions'").get()
  if (table === undefined) return undefined
  return firstBrokenAction(
    toRows(database.prepare('select * from agent_actions order by no').iterate()),
    secrets,
    anchors,
  )
}

export async function brokenAction(
  db: Database,
  secrets: Digests,
  anchors: readonly AuditAnchor[],
): Promise<BrokenVerdict | undefined> {
  const rows = await db.selectFrom('agent_actions').selectAll().orderBy('no').execute()
  return firstBrokenAction(rows, secrets, anchors)
}

/** The columns of the table are what `Schema` says; a value that was changed to another type fails its MAC. */
function toRows(rows: Iterable<unknown>): Iterable<Row> {
  return rows as Iterable<Row>
}

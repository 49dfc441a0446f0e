import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Selectable, sql } from 'kysely'
import type { Secrets } from '#ports/secrets.ts'
import type { Database, Schema } from '../schema.ts'
import { isSealedAgent, type SealedAgent } from '../stores/keys/agent-seal.ts'
import { isSealed } from '../stores/keys/key-seal.ts'
import { SEALED, sealedFrom } from '../stores/keys/seal-old-rows.ts'
import { type ApprovalRow, isSealedApproval } from '../stores/policy/approval-seal.ts'
import { ledgerSeal, type ReservationRow, type SumsRow } from '../stores/policy/ledger/ledger-seal.ts'
import { arePolicies, type PolicyRow } from '../stores/policy/ledger/policy-seal.ts'
import { addsUp } from '../stores/policy/ledger/whole-ledger.ts'
import type { AuditVerdict } from './verdict.ts'

type Digests = Pick<Secrets, 'digest'>
type KeyRow = Selectable<Schema['agent_keys']>
type BrokenVerdict = Extract<AuditVerdict, { kind: 'broken' }>
type Table = (typeof SEALED)[number]['tables'][number] | 'seals'

/** All rows of a table; none if there is no such table. Of mandates, those of one agent, revisions from the first on. */
type ReadRows = (table: Table, agentNo?: number) => Promise<readonly unknown[]> | readonly unknown[]

/** The first agent whose row, keys, approvals, policies or reservations are not as the service has written them. */
async function firstBrokenSeal(read: ReadRows, secrets: Digests): Promise<BrokenVerdict | undefined> {
  const notes = new Set(toRows<{ name: string }>(await read('seals')).map(({ name }) => name))
  for (const kind of SEALED.filter(({ note }) => !notes.has(note)))
    for (const table of sealedFrom(kind))
      if (toRows<{ mac?: string | null }>(await read(table)).some(({ mac }) => mac))
        return broken(`the note that ${kind.what} were sealed is gone`)
  // Of a store from before, what was not sealed yet is not looked at; all the rest is.
  const made = new Set(SEALED.filter(({ note }) => notes.has(note)).map(({ what }) => what))
  const rowsOf = async <Row extends { readonly agent_no: number }>(table: Table) =>
    Map.groupBy(toRows<Row>(await read(table)), ({ agent_no }) => agent_no)
  const keys = made.has('keys') ? await rowsOf<KeyRow>('agent_keys') : undefined
  const approvals = made.has('approvals') ? await rowsOf<ApprovalRow>('approvals') : undefined
  const findWrong = mandateCheck(read, secrets)
  for (const agent of toRows<SealedAgent>(await read('agents'))) {
    const { no, id } = agent
    if (made.has('agents') && !isSealedAgent(secrets, agent, agent.mac))
      return broken(`the row of ${id} is not as this service has written it`)
    if (keys?.get(no)?.some((key) => !isSealed(secrets, id, key)))
      return broken(`the keys of ${id} are ${NOT_OURS}`)
    if (approvals?.get(no)?.some((approval) => !isSealedApproval(secrets, approval)))
      return broken(`the approvals of ${id} are ${NOT_OURS}`)
    const wrong = made.has('policies') ? await findWrong(agent) : undefined
    if (wrong !== undefined) return broken(`the ${wrong} of ${id} are ${NOT_OURS}`)
  }
  return undefined
}

/** Which part of an agent's mandate is not as the service has written it. */
function mandateCheck(read: ReadRows, secrets: Digests) {
  const seal = ledgerSeal(secrets)
  return async ({ no, policy_revision: revision }: SealedAgent) => {
    if (revision === null) return undefined
    const policies = toRows<PolicyRow>(await read('policies', no))
    if (policies.length !== revision || !arePolicies(secrets, policies)) return 'policies'
    const reservations = toRows<ReservationRow>(await read('reservations', no))
    const sums = toRows<SumsRow>(await read('reserved_sums', no))
    return addsUp(seal, no, reservations, sums) ? undefined : 'reservations'
  }
}

const NOT_OURS = 'not as this service has written them'

const broken = (reason: string): BrokenVerdict => ({ kind: 'broken', seq: 0, reason })

/** The columns of the tables are what `Schema` says; a value that was changed to another type fails its MAC. */
const toRows = <Row>(rows: readonly unknown[]): readonly Row[] => rows as readonly Row[]

/** At one moment of a store that is in use. */
export const brokenSeal = (db: Database, secrets: Digests): Promise<BrokenVerdict | undefined> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => {
      const read: ReadRows = async (table, agentNo) => {
        const all = sql`select * from ${sql.table(table)}`
        const order = table === 'policies' ? sql`order by revision` : sql``
        const rows = agentNo === undefined ? all : sql`${all} where agent_no = ${agentNo} ${order}`
        return (await rows.execute(transaction)).rows
      }
      return firstBrokenSeal(read, secrets)
    })

/** Reads the embedded store, also beside the running service. */
export async function brokenSealOfFolder(
  folder: string,
  secrets: Digests,
): Promise<BrokenVerdict | undefined> {
  const file = join(folder, 'stakewright.db')
  if (!existsSync(file)) return undefined
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  database.exec('begin')
  const known = database.prepare('select name from sqlite_master').all()
  const read: ReadRows = (table, agentNo) => {
    if (!known.some(({ name }) => name === table)) return []
    if (agentNo === undefined) return database.prepare(`select * from ${table}`).all()
    const order = table === 'policies' ? 'order by revision' : ''
    return database.prepare(`select * from ${table} where agent_no = ? ${order}`).all(agentNo)
  }
  return await firstBrokenSeal(read, secrets)
}

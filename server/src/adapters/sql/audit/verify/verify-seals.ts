import type { Selectable } from 'kysely'
import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { Schema } from '../../schema.ts'
import { isSealedAgent, type SealedAgent } from '../../stores/keys/agent-seal.ts'
import { isSealed } from '../../stores/keys/key-seal.ts'
import { SEALED, sealedFrom } from '../../stores/keys/seal-old-rows.ts'
import { type ApprovalRow, isSealedApproval } from '../../stores/policy/approval-seal.ts'
import { ledgerSeal, type ReservationRow, type SumsRow } from '../../stores/policy/ledger/ledger-seal.ts'
import { arePolicies, type PolicyRow } from '../../stores/policy/ledger/policy-seal.ts'
import { addsUp } from '../../stores/policy/ledger/whole-ledger.ts'
import { type Digests, type StoredRows, toRows } from '../stored-rows.ts'
import { Broken } from './verdict.ts'

type KeyRow = Selectable<Schema['agent_keys']>
type Table = (typeof SEALED)[number]['tables'][number]

/** Finds the first agent whose row, keys, approvals, policies or reservations have a wrong seal. */
export async function verifySeals(
  { read }: StoredRows,
  secrets: Digests,
  anchors: readonly AuditAnchor[],
): Promise<void> {
  const notes = new Set(toRows<{ name: string }>(await read('seals')).map(({ name }) => name))
  const anchored = new Set(anchors.flatMap(({ sealed = [] }) => sealed))
  for (const kind of SEALED.filter(({ note }) => !notes.has(note))) {
    if (anchored.has(kind.note)) throw broken(`the note that ${kind.what} were sealed is gone`)
    for (const table of sealedFrom(kind))
      if (toRows<{ mac?: string | null }>(await read(table)).some(({ mac }) => mac))
        throw broken(`the note that ${kind.what} were sealed is gone`)
  }
  // In a store of an earlier version, kinds that are not sealed yet are skipped.
  const made = new Set(SEALED.filter(({ note }) => notes.has(note)).map(({ what }) => what))
  const rowsOf = async <Row extends { readonly agent_no: number }>(table: Table) =>
    Map.groupBy(toRows<Row>(await read(table)), ({ agent_no }) => agent_no)
  const keys = made.has('keys') ? await rowsOf<KeyRow>('agent_keys') : undefined
  const approvals = made.has('approvals') ? await rowsOf<ApprovalRow>('approvals') : undefined
  const findWrong = mandateCheck(read, secrets)
  for (const agent of toRows<SealedAgent>(await read('agents'))) {
    const { no, id } = agent
    if (made.has('agents') && !isSealedAgent(secrets, agent, agent.mac))
      throw broken(`the row of ${id} is not as this service has written it`)
    if (keys?.get(no)?.some((key) => !isSealed(secrets, id, key)))
      throw broken(`the keys of ${id} are ${NOT_OURS}`)
    if (approvals?.get(no)?.some((approval) => !isSealedApproval(secrets, approval)))
      throw broken(`the approvals of ${id} are ${NOT_OURS}`)
    const wrong = made.has('policies') ? await findWrong(agent) : undefined
    if (wrong !== undefined) throw broken(`the ${wrong} of ${id} are ${NOT_OURS}`)
  }
}

/** The part of an agent's mandate whose seal is wrong. */
function mandateCheck(read: StoredRows['read'], secrets: Digests) {
  const seal = ledgerSeal(secrets)
  return async ({ no, policy_revision: revision }: SealedAgent) => {
    if (revision === null) return undefined
    const policies = toRows<PolicyRow>(await read('policies', { agentNo: no, order: 'revision' }))
    if (policies.length !== revision || !arePolicies(secrets, policies)) return 'policies'
    const reservations = toRows<ReservationRow>(await read('reservations', { agentNo: no }))
    const sums = toRows<SumsRow>(await read('reserved_sums', { agentNo: no }))
    return addsUp(seal, no, reservations, sums) ? undefined : 'reservations'
  }
}

const NOT_OURS = 'not as this service has written them'

const broken = (reason: string) => new Broken(0, reason)

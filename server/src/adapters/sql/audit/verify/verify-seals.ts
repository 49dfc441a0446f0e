import type { Selectable } from 'kysely'
import type { Schema } from '../../schema.ts'
import { isSealedAgent, type SealedAgent } from '../../stores/keys/agent-seal.ts'
import { isSealed } from '../../stores/keys/key-seal.ts'
import { contradictsProof } from '../../stores/keys/proven-agent.ts'
import { type ApprovalRow, isSealedApproval } from '../../stores/policy/approval-seal.ts'
import { ledgerSeal, type ReservationRow, type SumsRow } from '../../stores/policy/ledger/ledger-seal.ts'
import { arePolicies, type PolicyRow } from '../../stores/policy/ledger/policy-seal.ts'
import { addsUp } from '../../stores/policy/ledger/whole-ledger.ts'
import { type Digests, type StoredRows, toRows } from '../stored-rows.ts'
import { Broken } from './verdict.ts'

type AgentRow = Selectable<Schema['agents']>
type KeyRow = Selectable<Schema['agent_keys']>

/** Throws at the first agent whose row, keys, approvals, policies or reservations have a wrong seal. */
export async function verifySeals(rows: StoredRows, secrets: Digests): Promise<void> {
  const { read } = rows
  const rowsOf = async <Row extends { readonly agent_no: number }>(table: 'agent_keys' | 'approvals') =>
    Map.groupBy(toRows<Row>(await read(table)), ({ agent_no }) => agent_no)
  const keys = await rowsOf<KeyRow>('agent_keys')
  const approvals = await rowsOf<ApprovalRow>('approvals')
  const findWrong = await mandateCheck(rows, secrets)
  for (const agent of toRows<AgentRow>(await read('agents'))) {
    const { no, id } = agent
    if (!isSealedAgent(secrets, agent, agent.mac) || contradictsProof(agent))
      throw broken(`the row of ${id} is not as this service has written it`)
    if (keys.get(no)?.some((key) => !isSealed(secrets, id, key)))
      throw broken(`the keys of ${id} are ${NOT_OURS}`)
    if (approvals.get(no)?.some((approval) => !isSealedApproval(secrets, approval)))
      throw broken(`the approvals of ${id} are ${NOT_OURS}`)
    const wrong = await findWrong(agent)
    if (wrong !== undefined) throw broken(`the ${wrong} of ${id} are ${NOT_OURS}`)
  }
}

/** Names the part of an agent's mandate that has a wrong seal, if any. */
async function mandateCheck({ read, agentsIn }: StoredRows, secrets: Digests) {
  const seal = ledgerSeal(secrets)
  const withPolicies = new Set(await agentsIn('policies'))
  const withReservations = new Set([
    ...(await agentsIn('reservations')),
    ...(await agentsIn('reserved_sums')),
  ])
  return async ({ no, policy_revision: revision }: SealedAgent) => {
    if (revision === null) {
      // An agent without a policy has neither policies nor reservations: rows under its number were another agent's.
      if (withPolicies.has(no)) return 'policies'
      return withReservations.has(no) ? 'reservations' : undefined
    }
    const policies = toRows<PolicyRow>(await read('policies', { agentNo: no, order: 'revision' }))
    if (policies.length !== revision || !arePolicies(secrets, policies)) return 'policies'
    const reservations = toRows<ReservationRow>(await read('reservations', { agentNo: no }))
    const sums = toRows<SumsRow>(await read('reserved_sums', { agentNo: no }))
    return addsUp(seal, no, reservations, sums) ? undefined : 'reservations'
  }
}

const NOT_OURS = 'not as this service has written them'

const broken = (reason: string) => new Broken(0, reason)

import type { Selectable } from 'kysely'
import type { Schema } from '../../../schema.ts'
import { type StoredRows, toRows } from '../../stored-rows.ts'
import { Broken } from '../verdict.ts'
import type { AgentRow, RecordedAction } from './recorded-actions.ts'

type PolicyRow = Selectable<Schema['policies']>
type ApprovalRow = Selectable<Schema['approvals']>

/** Checks that policies and approvals are as the recorded actions last set and decided them. */
export async function verifyMandates(
  rows: StoredRows,
  agents: ReadonlyMap<string, AgentRow>,
  actions: readonly RecordedAction[],
  approvalsSince: number,
): Promise<void> {
  const hashes = new Map(
    toRows<PolicyRow>(await rows.read('policies')).map((row) => [
      `${row.agent_no} ${row.revision}`,
      row.hash,
    ]),
  )
  const hashOf = ({ no, policy_revision: revision }: AgentRow) => hashes.get(`${no} ${revision}`)
  const set = Map.groupBy(
    actions.filter(({ name }) => name === 'set-policy'),
    ({ target }) => target,
  )
  for (const [id, ofAgent] of set) {
    const agent = agents.get(id)
    if (agent) verifyPolicy(agent, hashOf(agent), ofAgent)
  }
  verifyApprovals(toRows<ApprovalRow>(await rows.read('approvals')), actions, approvalsSince)
}

/** Each action adds a revision, after those inherited from a replaced agent. */
function verifyPolicy(agent: AgentRow, hash: string | undefined, set: readonly RecordedAction[]): void {
  const { id, policy_revision: revision } = agent
  let last: number | undefined
  for (const { no, details } of set) {
    if (details.policy && last !== undefined && details.policy.revision !== last + 1)
      throw new Broken(0, `the policy of ${id} had been set back before the management action ${no}`)
    last = details.policy?.revision ?? last
  }
  const newest = set.at(-1)
  const policy = newest?.details.policy
  const isNewest = policy
    ? policy.revision === revision && policy.hash === hash
    : (revision ?? 0) >= set.length
  if (!isNewest)
    throw new Broken(0, `the policy of ${id} is not the one that the management action ${newest?.no} has set`)
}

/** The states that an approval may have after each decision. */
const LEAVES: Readonly<Record<string, readonly string[]>> = {
  'approve-transaction': ['approved', 'used'],
  'refuse-transaction': ['refused'],
}

/** An approval that was decided before `since` may be missing: retention drops it some time after it has expired. */
function verifyApprovals(
  approvals: readonly ApprovalRow[],
  actions: readonly RecordedAction[],
  since: number,
): void {
  const states = new Map(approvals.map(({ id, state }) => [id, state]))
  const decided = new Map(
    actions.flatMap((by) => (by.details.approval === undefined ? [] : [[by.details.approval, by] as const])),
  )
  for (const [id, { no, at, name }] of decided) {
    const state = states.get(id)
    if (state === undefined && at >= since)
      throw new Broken(
        0,
        `the approval ${id} is missing, but the management action ${no} (${name}) decided it`,
      )
    if (state !== undefined && !LEAVES[name]?.includes(state))
      throw new Broken(
        0,
        `the approval ${id} is ${state}, but the management action ${no} (${name}) left it otherwise`,
      )
  }
}

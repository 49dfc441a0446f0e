import type { Selectable } from 'kysely'
import type { ActionDetails } from '#ports/stores/agent-actions.ts'
import type { Schema } from '../../../schema.ts'
import { toDetails } from '../../../stores/agent-actions.ts'
import { type StoredRows, toRows } from '../../stored-rows.ts'

export type AgentRow = Selectable<Schema['agents']>
export type KeyRow = Selectable<Schema['agent_keys']>

/** A recorded action. */
export type Acted = {
  readonly no: number
  readonly name: string
  /** The agent it was done to, or the user. */
  readonly target: string
  /** Rows of earlier versions have none, or not all. */
  readonly details: ActionDetails
}

/** Oldest first. */
export async function readActions(rows: StoredRows): Promise<readonly Acted[]> {
  const stored = toRows<Selectable<Schema['agent_actions']>>(
    await rows.read('agent_actions', { order: 'no' }),
  )
  return stored.map(({ no, action, agent_id, details }) => ({
    no,
    name: action,
    target: agent_id,
    details: toDetails(details),
  }))
}

import type { Selectable } from 'kysely'
import type { ActionDetails } from '#ports/stores/agent-actions.ts'
import type { Schema } from '../../../schema.ts'
import { toDetails } from '../../../stores/agent-actions.ts'
import { type StoredRows, toRows } from '../../stored-rows.ts'

export type AgentRow = Selectable<Schema['agents']>
export type KeyRow = Selectable<Schema['agent_keys']>

/** An action as the store recorded it. */
export type RecordedAction = {
  readonly no: number
  readonly at: number
  readonly name: string
  /** The id of the agent or user that the action changed. */
  readonly target: string
  /** Rows of earlier versions lack some or all details. */
  readonly details: ActionDetails
}

/** All recorded actions, oldest first. */
export async function readActions(rows: StoredRows): Promise<readonly RecordedAction[]> {
  const stored = toRows<Selectable<Schema['agent_actions']>>(
    await rows.read('agent_actions', { order: 'no' }),
  )
  return stored.map(({ no, at, action, agent_id, details }) => ({
    no,
    at,
    name: action,
    target: agent_id,
    details: toDetails(details),
  }))
}

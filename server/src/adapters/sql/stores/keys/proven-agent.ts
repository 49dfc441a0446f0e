import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Schema } from '../../schema.ts'

type Row = Pick<Selectable<Schema['agents']>, 'status' | 'verify_by' | 'owner' | 'identity_tier'>

/**
 * Agents whose owner's address was proven, by columns that the seal covers. The first transition of a proven agent
 * clears `verify_by`, so a revoked agent that still has it was never verified.
 */
export const isProvenAgent = (agent: ExpressionBuilder<Schema, 'agents'>) =>
  agent.or([
    agent('status', 'in', ['active', 'suspended']),
    agent.and([agent('status', '=', 'revoked'), agent('verify_by', 'is', null)]),
  ])

/** Whether `identity_tier`, which is only for display, contradicts the sealed columns. */
export function contradictsProof({ status, verify_by, owner, identity_tier }: Row): boolean {
  const isUnverified = identity_tier === 'unverified'
  if (status === 'pending_verification') return !isUnverified
  const isProven = status !== 'revoked' || verify_by === null
  return isProven && isUnverified && owner.includes('@')
}

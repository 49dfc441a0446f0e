import type { Selectable } from 'kysely'
import type { Agent, NewAgent } from '#ports/stores/agents.ts'
import { canonicalAddress } from '../../../basics/mailbox.ts'
import type { Schema } from '../schema.ts'
import { oneOf } from '../stored-shape.ts'

/** An agent with its last use, which admission records. */
export type AgentRow = Selectable<Schema['agents']> & { readonly last_used_at: number | null }

const readType = oneOf(['autonomous', 'assistant', 'bot', 'service', 'other'])
const readIdentityTier = oneOf([
  'unverified',
  'email_verified',
  'wallet_verified',
  'user_linked',
  'admin_verified',
])
const readTier = oneOf(['free', 'builder', 'pro', 'enterprise'])
const readStatus = oneOf(['pending_verification', 'active', 'suspended', 'revoked'])

export function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    owner: row.owner,
    name: row.name,
    type: readType(row.type, 'agents.type'),
    walletAddress: row.wallet_address ?? undefined,
    identityTier: readIdentityTier(row.identity_tier, 'agents.identity_tier'),
    tier: readTier(row.tier, 'agents.tier'),
    storedStatus: readStatus(row.status, 'agents.status'),
    customLimits: limitsIn(row),
    keyPrefix: row.key_prefix,
    createdAt: row.created_at,
    verifyBy: row.verify_by ?? undefined,
    verifiedAt: row.verified_at ?? undefined,
    // 0: it inherited counters and was never used itself.
    lastUsedAt: row.last_used_at || undefined,
    rotatedAt: row.rotated_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
  }
}

/** The limits that an admin has set. */
export const limitsIn = ({ rpm, rpd }: Pick<AgentRow, 'rpm' | 'rpd'>): Agent['customLimits'] =>
  rpm === null || rpd === null ? undefined : { rpm, rpd }

/** Null for most owners: their address is that of their mailbox. */
function otherMailboxOf(owner: string): string | null {
  const mailbox = canonicalAddress(owner)
  return mailbox === owner ? null : mailbox
}

/** Without the MAC, which also covers the number that the insert assigns. */
export function toRow(agent: NewAgent): Omit<Selectable<Schema['agents']>, 'no'> {
  return {
    id: agent.id,
    owner: agent.owner,
    mailbox: otherMailboxOf(agent.owner),
    name: agent.name,
    type: agent.type,
    wallet_address: agent.walletAddress ?? null,
    identity_tier: agent.identityTier,
    tier: agent.tier,
    status: agent.storedStatus,
    rpm: agent.customLimits?.rpm ?? null,
    rpd: agent.customLimits?.rpd ?? null,
    key_prefix: agent.key.prefix,
    created_at: agent.createdAt,
    verify_by: agent.verifyBy ?? null,
    verified_at: agent.verifiedAt ?? null,
    rotated_at: null,
    revoked_at: null,
    policy_revision: null,
    mac: null,
  }
}

import type { AuditEntry } from '../../data/account/agents.ts'

type Action = NonNullable<AuditEntry['action']>

/** What was done to an agent, as the end of a sentence. */
const ACTION_TEXTS: Readonly<Record<Action, string>> = {
  register: 'registered it',
  'self-register': 'registered it',
  activate: 'used the mailed link, which activated it',
  'create-sandbox-key': 'asked for a sandbox key',
  replace: 'registered it in place of another',
  rotate: 'replaced its key',
  revoke: 'revoked it',
  suspend: 'suspended it',
  resume: 'let it work again',
  'set-limits': 'set its limits',
  'revoke-self': 'revoked its own key',
  'report-leak': 'reported its key as leaked, which revoked it',
  'create-key': 'added a named key',
  'revoke-key': 'revoked one of its keys',
  'set-policy': 'changed its policy',
  'approve-transaction': 'approved a transaction',
  'refuse-transaction': 'refused a transaction',
  'release-reservation': 'gave back what a transaction had reserved',
  'sign-in': 'signed in',
  'issue-token': 'made a token',
  'end-session': 'ended a session',
  'begin-totp': 'asked for the secret of an authenticator app',
  'enrol-totp': 'enrolled an authenticator app',
  'remove-totp': 'removed the authenticator app',
  'reset-totp': 'reset the second factor',
  'renew-recovery-codes': 'replaced the recovery codes',
  'use-recovery-code': 'signed in with a recovery code',
  'refuse-totp': 'was refused a wrong second factor',
}

/** A change of the policy that only pauses or resumes the agent. */
const CHANGE_TEXTS = { paused: 'paused it', resumed: 'resumed it' } as const

export function actionText({ action, policy }: Pick<AuditEntry, 'action' | 'policy'>): string {
  if (policy?.change) return CHANGE_TEXTS[policy.change]
  return action === null ? '' : ACTION_TEXTS[action]
}

/** Actions of users on themselves: no agent is involved, so the actor is not called its owner. */
const OF_USERS: ReadonlySet<AuditEntry['action']> = new Set([
  'sign-in',
  'issue-token',
  'end-session',
  'begin-totp',
  'enrol-totp',
  'remove-totp',
  'reset-totp',
  'renew-recovery-codes',
  'use-recovery-code',
  'refuse-totp',
])

/** The actor, as the beginning of a sentence. */
export function actorText({ kind, role }: AuditEntry['actor'], action: AuditEntry['action']): string {
  if (kind === 'user') return role === 'admin' ? 'An admin' : OF_USERS.has(action) ? 'A user' : 'Its owner'
  if (kind === 'agent') return 'The agent'
  return kind === 'operator' ? 'An operator on the machine' : 'Somebody'
}

/** The id of a user without the issuer before it. */
export const userText = (id: string): string => id.slice(id.indexOf('/') + 1)

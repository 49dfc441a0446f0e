import type { Agent, AuditEntry } from '../account/agents.ts'
import type { KeyScope } from '../account/keys.ts'
import type { PolicyRule } from '../policy/rules.ts'
import type { Scoring, Validator } from '../queries.ts'

/** Texts for values of the API. The types are exhaustive: a value that the contract adds fails to compile. */
type Words<Word extends string> = Readonly<Record<Word, string>>

/** The keys of such a table, in its order. */
export const wordsOf = <Word extends string>(texts: Words<Word>): readonly Word[] =>
  Object.keys(texts).filter((word): word is Word => word in texts)

export const AGENT_STATES: Words<Agent['status']> = {
  active: 'active',
  pending_verification: 'waits for its verification',
  suspended: 'suspended',
  revoked: 'revoked',
  expired: 'expired',
}

export const AGENT_KINDS: Words<Agent['agentType']> = {
  autonomous: 'autonomous agent',
  assistant: 'assistant of a person',
  bot: 'bot',
  service: 'service',
  other: 'other program',
}

export const IDENTITIES: Words<Agent['identityTier']> = {
  unverified: 'nobody has proven to own it',
  email_verified: 'its owner has proven the mail address',
  wallet_verified: 'its owner has signed with the wallet',
  user_linked: 'registered by its signed-in owner',
  admin_verified: 'registered by an admin',
}

export const SCOPES: Words<KeyScope> = {
  read: 'read data and ask for advice',
  build: 'build transactions, use the sandbox',
  'manage-self': 'revoke itself',
}

export const ACTIONS: Words<NonNullable<AuditEntry['action']>> = {
  register: 'registered',
  'self-register': 'registered by itself',
  activate: 'activated by the mailed link',
  'create-sandbox-key': 'sandbox key made',
  replace: 'registered in place of another',
  rotate: 'key replaced',
  revoke: 'revoked',
  suspend: 'suspended',
  resume: 'resumed',
  'set-limits': 'limits set',
  'revoke-self': 'revoked by itself',
  'report-leak': 'leak reported',
  'create-key': 'named key added',
  'revoke-key': 'one of its keys revoked',
  'set-policy': 'policy changed',
  'approve-transaction': 'transaction approved',
  'refuse-transaction': 'transaction refused',
  'release-reservation': 'reservation given back',
  'sign-in': 'signed in',
  'issue-token': 'token made by the operator',
  'end-session': 'session ended',
  'begin-totp': 'second factor begun',
  'enrol-totp': 'second factor set up',
  'remove-totp': 'second factor removed',
  'reset-totp': 'second factor reset',
  'renew-recovery-codes': 'recovery codes replaced',
  'use-recovery-code': 'recovery code used',
  'refuse-totp': 'second factor refused',
}

/** The topic of each rule of a policy. */
export const RULES: Words<PolicyRule['rule']> = {
  actions: 'actions',
  networks: 'network',
  validators: 'validators',
  maxPerTx: 'amount per transaction',
  maxPerWindow: 'amount over time',
  maxShare: 'share per validator',
  minScore: 'score',
  maxCommission: 'commission',
  minValidators: 'number of validators',
  hours: 'hours',
  senders: 'signers',
  recipients: 'recipients',
  approvalAbove: 'your approval',
  paused: 'paused',
  expires: 'end date',
}

/** Why a validator may not be chosen, in the sentences that the service publishes. */
export const ineligibleText = (reasons: Validator['ineligible'], { gates }: Pick<Scoring, 'gates'>): string =>
  reasons.flatMap((reason) => gates.find(({ name }) => name === reason)?.rule ?? []).join(' ')

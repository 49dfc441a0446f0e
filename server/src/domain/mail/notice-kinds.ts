import { call } from '../../fault.ts'

/**
 * The kinds of notices. Each kind has a budget of its own, so that a flood of one kind suppresses no other: repeated
 * policy changes do not hide a replaced key, and wrong second factors do not hide the removal of the factor. Actions
 * that an intruder would want to hide have budgets that no other action can use up.
 */
export const NOTICE_KINDS = {
  'added keys': {
    about: 'keys that are added to your agents, and agents that are registered for you',
    look: 'What else happens is in the audit log of each agent',
  },
  'replaced keys': {
    about: 'keys of your agents that are replaced',
    look: 'What else happens is in the audit log of each agent',
  },
  /** Named keys. The end of a primary key is the end of its agent, which is another kind. */
  'ended keys': {
    about: 'keys of your agents that have ended',
    look: 'What else happens is in the audit log of each agent',
  },
  policies: {
    about: 'policies of your agents that allow no more than before',
    look: 'What else happens is in the audit log of each agent',
  },
  'looser policies': {
    about: 'policies of your agents that allow more than before',
    look: 'What else happens is in the audit log of each agent',
  },
  tiers: {
    about: 'agents that are promoted',
    look: 'What else happens is in the audit log of each agent',
  },
  agents: {
    about: 'agents that are revoked, suspended or resumed, or get other limits',
    look: 'What else happens is in the audit log of each agent',
  },
  decisions: {
    about: 'approvals that were decided',
    look: 'What else happens is in the audit log of each agent',
  },
  /** Counted per agent: an agent that asks repeatedly does not suppress notices of the owner's other agents. */
  approvals: {
    about: 'what this agent wants approved',
    look: 'What else it asks for waits in the console',
  },
  'new networks': {
    about: 'sign-ins from new networks',
    look: `Look at your sessions (${call('listSessions')})`,
  },
  'factor attempts': {
    about: 'wrong second factors',
    look: `What else is tried is in the audit log of the service (${call('listActions')})`,
  },
  'factor removals': {
    about: 'the removal of your second factor',
    look: `What else happens is in the audit log of the service (${call('listActions')})`,
  },
  'factor changes': {
    about: 'the enrolment of your second factor and its recovery codes',
    look: `What else happens is in the audit log of the service (${call('listActions')})`,
  },
} as const

export type NoticeKind = keyof typeof NOTICE_KINDS

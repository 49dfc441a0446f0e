import { call } from '../../fault.ts'

/**
 * What notices are about. Each kind has a budget of its own, so that noise of one kind silences no other: policies that
 * are written again and again do not hide a replaced key, nor wrong second factors the removal of the factor. Actions
 * that an intruder would hide have budgets that no other action uses up.
 */
export const NOTICE_KINDS = {
  'new keys': {
    about: 'new keys of your agents',
    look: 'What else happens is in the audit log of each agent',
  },
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
  /** Counted for each agent: one that asks and asks does not silence another of the same owner. */
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

import type { Secrets } from '#ports/secrets.ts'
import type { Agent, RateLimits } from '#ports/stores/agents.ts'
import type { Notice } from '#ports/stores/outbox.ts'
import { composeNotice } from '../mail/compose-notice.ts'
import type { NoticeKind } from '../mail/notice-kinds.ts'
import { isProven } from './agent-state.ts'
import { namedAgent } from './named-agent.ts'

export type NoticeContent = {
  readonly kind: NoticeKind
  readonly subject: string
  readonly lines: readonly string[]
  /** The page to go to; the last line of the mail. */
  readonly link?: string
}

/** Composes the mail to the owner about a change of an agent; undefined: the owner gets no mail. */
export type Notify = (agent: Agent, content: NoticeContent, now: number) => Notice | undefined

/**
 * Only verified addresses get notices, and a notice contains no text that somebody else has chosen, except a harmless
 * name (`namedAgent`). `console` returns the page that shows events beyond the mail cap.
 */
export function notifyOwners(
  secrets: Pick<Secrets, 'digest'>,
  mailsPerDay: number,
  console: () => string | undefined,
): Notify {
  return (agent, { kind, ...content }, now) => {
    const { id, owner } = agent
    if (!isProven(agent) || !owner.includes('@')) return undefined
    const subject = kind === 'approvals' ? `${owner} ${id}` : owner
    return composeNotice(
      secrets,
      { to: owner, ...content },
      { kind, subject, mailsPerDay, now, page: console() },
    )
  }
}

/** The author of a change as named in a mail: an admin by the role, otherwise the owner's own account. */
const actorText = (role: 'user' | 'admin') => (role === 'admin' ? 'by an administrator' : 'by your account')
const NOT_YOU =
  'If this was not you, sign in and look at the audit log of the agent, or ask the operator of the service.'

type WaitingApproval = {
  readonly id: string
  /** The wish in words. */
  readonly description: string
  readonly page: string
  readonly until: Date
}

/** The texts of the notices, by the change of the agent. */
export const NOTICES = {
  rotate: (agent: Agent, role: 'user' | 'admin') => ({
    kind: 'replaced keys',
    subject: 'A Stakewright API key was replaced',
    lines: [
      `Your agent ${namedAgent(agent)} got a new key, ${agent.keyPrefix}…, ${actorText(role)}.`,
      NOT_YOU,
    ],
  }),
  revoke: (agent: Agent, role: 'user' | 'admin') => ({
    kind: 'agents',
    subject: 'A Stakewright agent was revoked',
    lines: [
      `Your agent ${namedAgent(agent)} with the key ${agent.keyPrefix}… was revoked for good, ${actorText(role)}.`,
      NOT_YOU,
    ],
  }),
  createKey: (agent: Agent, prefix: string, role: 'user' | 'admin') => ({
    kind: 'added keys',
    subject: 'A Stakewright agent has one more API key',
    lines: [`Your agent ${namedAgent(agent)} got one more key, ${prefix}…, ${actorText(role)}.`, NOT_YOU],
  }),
  revokeKey: (agent: Agent, prefix: string | undefined, role: 'user' | 'admin') => ({
    kind: 'ended keys',
    subject: 'A Stakewright API key was revoked',
    lines: [
      `The key ${prefix}… of your agent ${namedAgent(agent)} was revoked, ${actorText(role)}. Its other keys go on.`,
      NOT_YOU,
    ],
  }),
  setPolicy: (agent: Agent, role: 'user' | 'admin') => ({
    kind: 'policies',
    subject: 'The policy of a Stakewright agent was changed',
    lines: [`What your agent ${namedAgent(agent)} may do was changed ${actorText(role)}.`, NOT_YOU],
  }),
  loosenPolicy: (agent: Agent, role: 'user' | 'admin') => ({
    kind: 'looser policies',
    subject: 'The policy of a Stakewright agent was loosened',
    lines: [
      `What your agent ${namedAgent(agent)} may do was changed ${actorText(role)}. The new policy may allow what the one before did not. Read both in the console, and pause the agent if you are in doubt.`,
      NOT_YOU,
    ],
  }),
  approvalWaits: (agent: Agent, { id: approvalId, description, page, until }: WaitingApproval) => ({
    kind: 'approvals',
    subject: 'A Stakewright agent asks for your approval',
    lines: [
      `Your agent ${namedAgent(agent)} wants to build a transaction that its policy lets only you approve (${approvalId}):`,
      `${description}.`,
      `Look at it, and approve or refuse it before ${until.toISOString()}. Without your approval nothing is built. This page asks you to sign in first:`,
    ],
    link: page,
  }),
  decideApproval: (
    agent: Agent,
    approvalId: string,
    state: 'approved' | 'refused',
    role: 'user' | 'admin',
  ) => ({
    kind: 'decisions',
    subject: `A transaction of a Stakewright agent was ${state}`,
    lines: [
      `The approval ${approvalId} that your agent ${namedAgent(agent)} asked for was ${state} ${actorText(role)}.`,
      NOT_YOU,
    ],
  }),
  suspend: (agent: Agent) => ({
    kind: 'agents',
    subject: 'A Stakewright agent was suspended',
    lines: [
      `Your agent ${namedAgent(agent)} with the key ${agent.keyPrefix}… was suspended by an administrator. Its key is refused until it is resumed.`,
      'Ask the operator of the service for the reason.',
    ],
  }),
  setLimits: (agent: Agent, { rpm, rpd }: RateLimits) => ({
    kind: 'agents',
    subject: 'A Stakewright agent has other limits',
    lines: [
      `Your agent ${namedAgent(agent)} may now send ${rpm} requests a minute and ${rpd} a day. An administrator has set this.`,
      'Ask the operator of the service for the reason.',
    ],
  }),
  resume: (agent: Agent) => ({
    kind: 'agents',
    subject: 'A Stakewright agent was resumed',
    lines: [`Your agent ${namedAgent(agent)} with the key ${agent.keyPrefix}… works again.`],
  }),
  handOver: (agent: Agent) => ({
    kind: 'agents',
    subject: 'A Stakewright agent was revoked',
    lines: [
      `Your agent ${namedAgent(agent)} with the key ${agent.keyPrefix}… was revoked for good by an administrator, and replaced by an agent of somebody else. A policy that it had goes on to that agent, with all that waited for your approval.`,
      NOT_YOU,
    ],
  }),
  registerFor: (agent: Agent) => ({
    kind: 'added keys',
    subject: 'A Stakewright agent was registered for you',
    lines: [
      `An administrator has registered the agent ${namedAgent(agent)}, tier ${agent.tier}, with the key ${agent.keyPrefix}…, in your name.`,
      NOT_YOU,
    ],
  }),
  takeOver: (agent: Agent) => ({
    kind: 'tiers',
    subject: 'A Stakewright agent is yours',
    lines: [
      `An administrator has registered the agent ${namedAgent(agent)}, tier ${agent.tier}, with the key ${agent.keyPrefix}…, in your name. It takes the place of an agent of somebody else, with its policy and all that waits for an approval.`,
      NOT_YOU,
    ],
  }),
  promote: (agent: Agent, replaced: string) => ({
    kind: 'tiers',
    subject: 'A Stakewright agent has another tier',
    lines: [
      `Your agent ${replaced} was replaced by ${namedAgent(agent)}, tier ${agent.tier}, with the key ${agent.keyPrefix}…, by an administrator. The key of ${replaced} is refused from now on. A policy that it had goes on to ${agent.id}, with all that waits for your approval.`,
      NOT_YOU,
    ],
  }),
} satisfies Readonly<Record<string, (...about: never[]) => NoticeContent>>

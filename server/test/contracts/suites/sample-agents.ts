import type { ActionName, ActionToRecord } from '#ports/stores/agent-actions.ts'
import type { Agents, NewAgent, RegistrationLimit } from '#ports/stores/agents.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'

/** A store that is empty when it is opened. */
export type Opened = AsyncDisposable & {
  readonly agents: Agents
  /** Whether a request with this key would be admitted. */
  keyWorks(digest: string, now: number): Promise<boolean>
  /** The addresses of the queued mails, oldest first. */
  recipients(): Promise<readonly string[]>
}

export const NOW = Date.UTC(2026, 0, 31, 12)
export const CLOCK_STEP_MS = 300_000
export const OWNER = { kind: 'owner', owner: 'a@example.com' } as const
export const STRANGER = { kind: 'owner', owner: 'b@example.com' } as const
export const EVERYBODY = { kind: 'everybody' } as const

export const active = (id: string, change: Partial<NewAgent> = {}): NewAgent => ({
  id,
  owner: OWNER.owner,
  name: 'Übersicht 🦉 "quoted"',
  type: 'bot',
  walletAddress: `0x${'3f'.repeat(32)}`,
  identityTier: 'user_linked',
  tier: 'builder',
  storedStatus: 'active',
  customLimits: { rpm: 7, rpd: 0 },
  createdAt: NOW,
  verifyBy: undefined,
  verifiedAt: NOW,
  key: { digest: `key of ${id}`, prefix: `prefix of ${id}` },
  ...change,
})

export const pending = (id: string, change: Partial<NewAgent> = {}): NewAgent =>
  active(id, {
    walletAddress: undefined,
    identityTier: 'unverified',
    tier: 'free',
    storedStatus: 'pending_verification',
    customLimits: undefined,
    verifyBy: NOW + DAY_MS,
    verifiedAt: undefined,
    ...change,
  })

export const hourLimit = (limit: number, windowStart = NOW): RegistrationLimit => ({
  name: 'ip-hour',
  key: 'ip',
  windowStart,
  windowEnd: windowStart + HOUR_MS,
  latestStart: windowStart + HOUR_MS,
  limit,
})

export const dayLimit = (limit: number): RegistrationLimit => ({
  name: 'global-day',
  key: '',
  windowStart: NOW - 12 * HOUR_MS,
  windowEnd: NOW + 12 * HOUR_MS,
  latestStart: NOW + 12 * HOUR_MS,
  limit,
})

/** The record of an action whose caller sent no credentials. */
export const recordOf = (action: ActionName): ActionToRecord => ({
  action,
  at: NOW,
  actor: { kind: 'anybody', id: undefined, role: undefined },
  truncatedAddress: '203.0.113.0',
  via: 'rest',
})

export type SelfRegistration = Parameters<Agents['selfRegister']>[0]

export const link = (name: string, owner: string, now = NOW) => ({
  token: { digest: `token of ${name}`, expiresAt: now + DAY_MS },
  mail: { to: owner, subject: 'subject', text: 'text', html: 'html' },
  mailCaps: [{ key: owner, limit: 3, since: now - DAY_MS, now }],
})

export const selfRegistration = (id: string, change: Partial<SelfRegistration> = {}): SelfRegistration => {
  const agent = change.agent ?? pending(id)
  return { agent, ...link(id, agent.owner), limits: [], record: recordOf('self-register'), ...change }
}

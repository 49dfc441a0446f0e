import type { Agent } from '../data/account/agents.ts'
import { AGENT_STATES } from '../data/words/api-words.ts'
import { formatCount } from './format.ts'
import { html, type View } from './html.ts'

export type Tone = 'neutral' | 'good' | 'attention' | 'bad'

export const badge = (text: string, tone: Tone = 'neutral'): View =>
  html`<span class="badge" data-tone=${tone}>${text}</span>`

const VALIDATOR_TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  pending: 'neutral',
  candidate: 'neutral',
  leaving: 'attention',
  inactive: 'bad',
}
export const validatorBadge = (status: string): View => badge(status, VALIDATOR_TONES[status])

const AGENT_TONES: Readonly<Record<Agent['status'], Tone>> = {
  active: 'good',
  pending_verification: 'attention',
  suspended: 'attention',
  revoked: 'bad',
  expired: 'neutral',
}
/** `isPaused`: its keys are valid, but its policy allows no builds. */
export const agentBadge = (status: Agent['status'], isPaused = false): View =>
  isPaused && status === 'active'
    ? badge('paused', 'attention')
    : badge(AGENT_STATES[status], AGENT_TONES[status])

/** The number of waiting approvals. */
export const waitingCount = (count: number, hasMore: boolean): View =>
  count > 0 &&
  html` <span class="count">${formatCount(count)}${hasMore ? '+' : ''}<span class="visually-hidden"> ${count === 1 ? 'approval waits' : 'approvals wait'}</span></span>`

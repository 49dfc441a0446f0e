import type { Agent } from '../../data/account/agents.ts'
import { useNow } from '../../data/clock.ts'
import { formatCount } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { Countdown } from '../time.ts'

type Notice = { readonly what: string; readonly next: string; readonly nextOfAdmin?: string }

const NOTICES: Readonly<Partial<Record<Agent['status'], Notice>>> = {
  pending_verification: {
    what: 'Its key does not work yet.',
    next: 'Open the link in the mail that came with the registration.',
  },
  suspended: {
    what: 'An admin has suspended this agent: every request with its keys is refused.',
    next: 'Ask an admin of this service to resume it.',
    nextOfAdmin: '“Resume” lets it work again.',
  },
  revoked: {
    what: 'This agent is revoked: its keys are refused for good.',
    next: 'What it did stays here. To continue, register a new agent in the console.',
  },
  expired: {
    what: 'The link in the mail was not opened in time: its key is refused.',
    next: 'Register a new agent in the console.',
  },
}

/** Explains why an agent does not work, and what to do about it. */
export function stateNotice(status: Agent['status'], admin: boolean): View {
  const notice = NOTICES[status]
  return (
    notice &&
    html`<p class="notice" data-tone="attention"><strong>${notice.what}</strong><span>${(admin && notice.nextOfAdmin) || notice.next}</span></p>`
  )
}

const DAY_MS = 86_400_000

/** An active agent whose requests of the day are used up is refused until the next one. */
export function UsedUpNotice({ agent, admin }: { readonly agent: Agent; readonly admin: boolean }): View {
  const now = useNow()
  const { status, used, rateLimits } = agent
  if (status !== 'active' || used.rpd < rateLimits.rpd) return null
  const until = (Math.floor(now / DAY_MS) + 1) * DAY_MS
  return html`<p class="notice" data-tone="attention"><strong>It has used up the ${formatCount(rateLimits.rpd)} requests of this day: more are refused until midnight UTC.</strong><span>It works again in ${h(Countdown, { until })}. ${admin ? '“Set limits” gives it more.' : 'Ask an admin of this service for more.'}</span></p>`
}

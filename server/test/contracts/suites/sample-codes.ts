import type { RegistrationLimit } from '#ports/stores/agents.ts'
import type { Outbox, OutgoingMail, QueuedMail } from '#ports/stores/outbox.ts'
import type { CodeIssue } from '#ports/stores/users.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'

export const NOW = Date.parse('2026-01-31T12:00:00Z')

let issued = 0

export const dayLimit = (now: number, limit: number): RegistrationLimit => {
  const windowStart = now - (now % DAY_MS)
  const window = { windowStart, windowEnd: windowStart + DAY_MS, latestStart: now }
  return { name: 'global-day', key: 'sign-in ', ...window, limit }
}

export function mailTo(to: string): OutgoingMail {
  return { to, subject: 'Your code', text: `The code for ${to} is 123456.\n`, html: `<p>${to}: 123456</p>` }
}

/** Mails that are due, urgent or not, in the order in which they were queued. */
export async function claimAll(outbox: Outbox, now: number, leaseUntil = now): Promise<QueuedMail[]> {
  const urgent = await outbox.claim('urgent', now, leaseUntil, 1_000)
  const others = await outbox.claim('queued', now, leaseUntil, 1_000)
  return [...urgent, ...others].sort((a, b) => a.id - b.id)
}

/** A code for an address. By default its limits are too high to matter. */
export function codeFor(email: string, change: Partial<CodeIssue> = {}): CodeIssue {
  const now = change.now ?? NOW
  issued += 1
  const budget = { cap: { key: email, limit: 1_000, since: now - DAY_MS, now }, resendAfterMs: undefined }
  return {
    owner: email,
    addressDigest: `address of ${email}`,
    networkDigest: 'home',
    code: { digest: `code of ${email}`, expiresAt: now + 600_000 },
    longCode: { digest: `long code ${issued} at ${now}`, expiresAt: now + 6 * HOUR_MS },
    now,
    mail: mailTo(email),
    limits: [],
    unknownLimit: dayLimit(now, 1_000),
    isAdmin: false,
    budgets: { familiar: budget, known: budget, unknown: budget },
    ...change,
  }
}

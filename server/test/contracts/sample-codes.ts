import type { OutgoingMail } from '#ports/agents.ts'
import type { SignInCodes } from '#ports/users.ts'

export type CodeIssue = Parameters<SignInCodes['issue']>[0]

export const NOW = Date.parse('2026-01-31T12:00:00Z')
const DAY_MS = 86_400_000

export function mailTo(to: string): OutgoingMail {
  return { to, subject: 'Your code', text: `The code for ${to} is 123456.\n`, html: `<p>${to}: 123456</p>` }
}

/** A code for an address, with limits that are far away unless told otherwise. */
export function codeFor(email: string, change: Partial<CodeIssue> = {}): CodeIssue {
  const now = change.now ?? NOW
  return {
    addressDigest: `address of ${email}`,
    codeDigest: `code of ${email}`,
    now,
    expiresAt: now + 600_000,
    mail: mailTo(email),
    mailCap: { key: email, limit: 1_000, since: now - DAY_MS, now },
    limits: [],
    ...change,
  }
}

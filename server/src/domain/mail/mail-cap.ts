import type { Secrets } from '#ports/secrets.ts'
import type { MailCap } from '#ports/stores/agents.ts'
import { DAY_MS } from '../../durations.ts'

/**
 * What a mail is for. Each kind has a budget of its own: links cannot use up the mails for codes, nor an agent that asks
 * for approvals the notices of what is done to it.
 */
export type MailKind = 'code' | 'link' | 'notice' | 'approval'

/** At most `mailsPerDay` mails of this kind for the subject within 24 hours. */
export function mailCapOf(
  secrets: Pick<Secrets, 'digest'>,
  kind: MailKind,
  subject: string,
  mailsPerDay: number,
  now: number,
): MailCap {
  return {
    key: secrets.digest('address', `${kind} ${subject}`),
    limit: mailsPerDay,
    since: now - DAY_MS,
    now,
  }
}

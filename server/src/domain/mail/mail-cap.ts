import type { Secrets } from '#ports/secrets.ts'
import type { MailCap } from '#ports/stores/outbox.ts'
import { DAY_MS } from '../../durations.ts'
import type { NoticeKind } from './notice-kinds.ts'

/** The purpose of a mail. Each kind has a budget of its own: links cannot use up the mails for codes. */
type MailKind = 'code' | 'link' | NoticeKind

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

import type { MailCap } from '#ports/agents.ts'
import type { Secrets } from '#ports/secrets.ts'
import { canonicalAddress } from '../agents/email.ts'

const DAY_MS = 86_400_000

/** How many mails of any kind a mailbox gets within 24 hours, so that nobody can be flooded through this service. */
export function mailCapOf(
  secrets: Pick<Secrets, 'digest'>,
  address: string,
  mailsPerDay: number,
  now: number,
): MailCap {
  const key = secrets.digest('address', canonicalAddress(address))
  return { key, limit: mailsPerDay, since: now - DAY_MS, now }
}

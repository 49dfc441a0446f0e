import type { Secrets } from '#ports/secrets.ts'
import type { TokenRecord } from '#ports/stores/agents.ts'
import type { MailCap, OutgoingMail } from '#ports/stores/outbox.ts'
import { canonicalAddress } from '../../../basics/mailbox.ts'
import { HOUR_MS } from '../../../durations.ts'
import { mailCapOf } from '../../mail/mail-cap.ts'
import { verificationMail } from './verification-mail.ts'

export type VerificationRules = {
  /** The base URL of the mail's link, without a trailing slash. */
  readonly publicUrl: string
  readonly verificationMs: number
  /** Mails with links to one mailbox in 24 hours, for requests from one network. */
  readonly linksPerNetworkDay: number
  /** The same for requests from all networks together. */
  readonly linksPerDay: number
}

/** A link that proves an address: its mail, and the record that is stored. */
type Verification = {
  readonly token: TokenRecord
  readonly mail: OutgoingMail
  readonly mailCaps: readonly MailCap[]
}

export function newVerification(
  secrets: Secrets,
  rules: VerificationRules,
  { owner, ip }: { readonly owner: string; readonly ip: string },
  now: number,
): Verification {
  const token = secrets.newToken()
  return {
    token: { digest: secrets.digest('token', token), expiresAt: now + rules.verificationMs },
    mail: verificationMail({
      to: owner,
      publicUrl: rules.publicUrl,
      token,
      hours: rules.verificationMs / HOUR_MS,
    }),
    mailCaps: linkCaps(secrets, rules, canonicalAddress(owner), ip, now),
  }
}

/** Two caps, one per network and one for all: a single network cannot use up the links of a mailbox. */
function linkCaps(
  secrets: Secrets,
  { linksPerNetworkDay, linksPerDay }: VerificationRules,
  mailbox: string,
  ip: string,
  now: number,
): readonly MailCap[] {
  return [
    mailCapOf(secrets, 'link', `${mailbox} ${ip}`, linksPerNetworkDay, now),
    mailCapOf(secrets, 'link', mailbox, linksPerDay, now),
  ]
}

import type { MailCap, OutgoingMail, TokenRecord } from '#ports/agents.ts'
import type { Secrets } from '#ports/secrets.ts'
import { mailCapOf } from '../mail/mail-cap.ts'
import { verificationMail } from './verification-mail.ts'

const HOUR_MS = 3_600_000

export type VerificationRules = {
  /** Where the mail's link leads, without a slash at its end. */
  readonly publicUrl: string
  readonly verificationMs: number
  readonly mailsPerAddressDay: number
}

/** A link that proves an address: the mail that has it, and what the store keeps of it. */
export type Verification = {
  readonly token: TokenRecord
  readonly mail: OutgoingMail
  readonly mailCap: MailCap
}

export function newVerification(
  secrets: Secrets,
  rules: VerificationRules,
  owner: string,
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
    mailCap: mailCapOf(secrets, owner, rules.mailsPerAddressDay, now),
  }
}

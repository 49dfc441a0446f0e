import type { RegistrationLimit } from '#ports/agents.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { SignInCodes } from '#ports/users.ts'
import { Fault } from '../../fault.ts'
import { toOwner } from '../agents/email.ts'
import { type RegistrationQuota, registrationLimits } from '../agents/registration-limits.ts'
import { mailCapOf } from '../mail/mail-cap.ts'
import { digestAddress, digestCode, type SignInRules } from './sign-in-code.ts'
import { signInMail } from './sign-in-mail.ts'

type Needs = {
  readonly codes: SignInCodes
  readonly secrets: Secrets
  readonly clock: Clock
  readonly rules: SignInRules
  /** As many as registrations, counted apart from them. */
  readonly quota: RegistrationQuota
}

type CodeRequest = {
  readonly email: string
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
}

/** Mails a sign-in code. Nothing in the answer depends on the address, be it known, unknown or flooded. */
export function requestCode({ codes, secrets, clock, rules, quota }: Needs) {
  return async ({ email, ip }: CodeRequest): Promise<void> => {
    const now = clock.now()
    const owner = toOwner(email)
    const code = secrets.newCode()
    const outcome = await codes.issue({
      addressDigest: digestAddress(secrets, owner),
      codeDigest: digestCode(secrets, owner, code),
      now,
      expiresAt: now + rules.codeMs,
      mail: signInMail({ to: owner, code, minutes: rules.codeMs / 60_000 }),
      mailCap: mailCapOf(secrets, owner, rules.mailsPerAddressDay, now),
      limits: registrationLimits(quota, secrets.digest('address', ip), now).map(forCodes),
    })
    if (outcome.kind === 'limited') throw tooManyCodes(outcome.retryAt, now)
  }
}

function forCodes(limit: RegistrationLimit): RegistrationLimit {
  return { ...limit, key: `sign-in ${limit.key}` }
}

function tooManyCodes(retryAt: number, now: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil((retryAt - now) / 1_000))
  return new Fault(
    'rate_limited',
    `As many sign-in codes were asked for as may be. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  )
}

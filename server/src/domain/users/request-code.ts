import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { SignInCodes } from '#ports/stores/users.ts'
import { Fault } from '../../fault.ts'
import { toOwner } from '../agents/registration/email.ts'
import {
  globalLimit,
  networkLimits,
  type RegistrationQuota,
} from '../agents/registration/registration-limits.ts'
import { secondsUntil } from '../limits/window.ts'
import { digestAddress, digestCode, digestNetwork, mailBudgetsOf, type SignInRules } from './sign-in-code.ts'
import { signInMail } from './sign-in-mail.ts'

type Needs = {
  readonly codes: SignInCodes
  readonly secrets: Secrets
  readonly clock: Clock
  readonly rules: SignInRules
  /** The same limits as for registrations, with separate counters. */
  readonly quota: RegistrationQuota
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
}

type CodeRequest = {
  readonly email: string
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
}

/**
 * Mails a sign-in code. The answer does not depend on the address (known, unknown or flooded); it only reveals the
 * limits of the requester's own network.
 */
export function requestCode({ codes, secrets, clock, rules, quota, adminEmails }: Needs) {
  return async ({ email, ip }: CodeRequest): Promise<void> => {
    const now = clock.now()
    const owner = toOwner(email)
    const [code, longCode] = [secrets.newCode(), secrets.newLongCode()]
    const outcome = await codes.issue({
      owner,
      addressDigest: digestAddress(secrets, owner),
      networkDigest: digestNetwork(secrets, owner, ip),
      code: { digest: digestCode(secrets, owner, code), expiresAt: now + rules.codeMs },
      longCode: { digest: digestCode(secrets, owner, longCode), expiresAt: now + rules.longCodeMs },
      now,
      mail: signInMail({ to: owner, code, longCode, rules }),
      limits: networkLimits(quota, `sign-in ${secrets.digest('address', ip)}`, now),
      unknownLimit: globalLimit(quota, 'sign-in ', now),
      isAdmin: adminEmails.has(owner),
      budgets: mailBudgetsOf(secrets, rules, owner, now),
    })
    if (outcome.kind === 'limited') throw tooManyCodes(outcome.retryAt, now)
  }
}

function tooManyCodes(retryAt: number, now: number): Fault {
  const retryAfterSeconds = secondsUntil(retryAt, now)
  return new Fault(
    'rate_limited',
    `This network has requested the maximum number of sign-in codes. Try again in ${retryAfterSeconds} seconds. An address that signed in from this network before still gets one, unless it has an unused code from the last hours.`,
    { retryAfterSeconds },
  )
}

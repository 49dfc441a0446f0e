import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { SignInCodes, UserTokens } from '#ports/stores/users.ts'
import { Fault } from '../../fault.ts'
import { toOwner } from '../agents/registration/email.ts'
import { newNetworkNotice } from './new-network-notice.ts'
import type { BeginSession } from './sessions.ts'
import { codeKind, digestAddress, digestCode, digestNetwork, type SignInRules } from './sign-in-code.ts'

type Needs = {
  readonly codes: SignInCodes
  readonly begin: BeginSession
  readonly secrets: Secrets
  readonly clock: Clock
  readonly rules: SignInRules
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
}

type Exchange = {
  readonly email: string
  readonly code: string
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
}

/** Exchanges a mailed code for a token. Wrong, used, expired and never issued are one refusal. */
export function exchangeCode({ codes, begin, secrets, clock, rules, adminEmails }: Needs) {
  return async ({ email, code, ip }: Exchange): Promise<Awaited<ReturnType<UserTokens['issue']>>> => {
    const owner = toOwner(email)
    const now = clock.now()
    const fits = await codes.redeem({
      kind: codeKind(code),
      digest: digestCode(secrets, owner, code),
      addressDigest: digestAddress(secrets, owner),
      networkDigest: digestNetwork(secrets, owner, ip),
      now,
      tries: rules.tries,
      newNetworkNotice: newNetworkNotice(secrets, { owner, ip, now, mailsPerDay: rules.noticesPerDay }),
    })
    if (!fits) throw wrongCode()
    return begin({ email: owner, role: adminEmails.has(owner) ? 'admin' : 'user' }, ip)
  }
}

function wrongCode(): Fault {
  return new Fault(
    'unauthorized',
    'This code is wrong, used, expired or tried too often. Use the long code of the same mail, or ask for a new one with POST /api/v1/auth/code.',
  )
}

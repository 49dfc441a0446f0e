import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { SignInCodes, UserTokens } from '#ports/users.ts'
import { Fault } from '../../fault.ts'
import { toOwner } from '../agents/email.ts'
import { digestAddress, digestCode, type SignInRules } from './sign-in-code.ts'

type Needs = {
  readonly codes: SignInCodes
  readonly tokens: Pick<UserTokens, 'issue'>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly rules: SignInRules
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
}

/** Exchanges a mailed code for a token. Wrong, used, expired and never issued are one refusal. */
export function exchangeCode({ codes, tokens, secrets, clock, rules, adminEmails }: Needs) {
  return async (email: string, code: string): Promise<Awaited<ReturnType<UserTokens['issue']>>> => {
    const owner = toOwner(email)
    const fits = await codes.redeem(
      digestAddress(secrets, owner),
      digestCode(secrets, owner, code),
      clock.now(),
      rules.codeTries,
    )
    if (!fits) {
      throw new Fault(
        'unauthorized',
        'This code is wrong, used or no longer valid. Ask for a new one and use it within ten minutes.',
      )
    }
    return tokens.issue({ email: owner, role: adminEmails.has(owner) ? 'admin' : 'user' })
  }
}

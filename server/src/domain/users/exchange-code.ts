import type { Clock } from '#ports/clock.ts'
import type { OneTimeCodes } from '#ports/factors/one-time-codes.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { CodeAttempt, FactorAttempt, SignInCodes, UserTokens } from '#ports/stores/users.ts'
import { call, type Fault, refusal } from '../../fault.ts'
import { ANYBODY, type Origin } from '../agents/manager.ts'
import { toOwner } from '../agents/registration/email.ts'
import type { FairTurns } from '../limits/fair-turns.ts'
import { newNetworkNotice } from './new-network-notice.ts'
import { factorMissing, factorProof, factorRecord, factorWrong } from './second-factor.ts'
import type { PrepareSession } from './sessions.ts'
import { codeKind, digestAddress, digestCode, digestNetwork, type SignInRules } from './sign-in-code.ts'

type Needs = {
  readonly codes: SignInCodes
  readonly prepare: PrepareSession
  readonly tokens: Pick<UserTokens, 'userIdOf'>
  readonly oneTimeCodes: OneTimeCodes
  readonly secrets: Secrets
  readonly clock: Clock
  readonly rules: SignInRules
  /** In lower case. */
  readonly adminEmails: ReadonlySet<string>
  /**
   * A fair queue for each kind of code: attempts for one address wait for each other and must not block the store.
   */
  readonly turns: Readonly<Record<CodeAttempt['kind'], FairTurns>>
}

type Exchange = {
  readonly email: string
  readonly code: string
  /** The second factor, if one was given. */
  readonly totp?: string | undefined
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
  readonly via: Origin['via']
}

/**
 * Exchanges a mailed code for a token. Wrong, used, expired and unknown codes get the same refusal; only a caller
 * with a right code learns that a second factor is missing or wrong.
 */
export function exchangeCode(needs: Needs) {
  const { codes, prepare, secrets, clock, rules, adminEmails, turns } = needs
  return async ({
    email,
    code,
    totp,
    ip,
    via,
  }: Exchange): Promise<Awaited<ReturnType<UserTokens['issue']>>> => {
    const owner = toOwner(email)
    const now = clock.now()
    const isAdmin = adminEmails.has(owner)
    const kind = codeKind(code)
    const attempt: CodeAttempt = {
      kind,
      digest: digestCode(secrets, owner, code),
      addressDigest: digestAddress(secrets, owner),
      networkDigest: digestNetwork(secrets, owner, ip),
      now,
      tries: rules.tries,
      newNetworkNotice: newNetworkNotice(secrets, { owner, ip, now, mailsPerDay: rules.noticesPerDay }),
      factor: isAdmin ? secondFactor(needs, { owner, totp, ip, now }) : undefined,
    }
    const prepared = await prepare({ email: owner, role: isAdmin ? 'admin' : 'user' }, { client: ip, via })
    const outcome = await turns[kind]({ group: ip, member: ip }, () => codes.redeem(attempt, prepared))
    if (outcome === 'wrong') throw wrongCode()
    if (outcome === 'factor_missing') throw factorMissing()
    if (outcome === 'factor_wrong') throw factorWrong()
    return outcome === 'right_with_factor' ? prepared.issuedWithFactor : prepared.issued
  }
}

type FactorInput = {
  readonly owner: string
  readonly totp: string | undefined
  readonly ip: string
  readonly now: number
}

function secondFactor(
  { tokens, oneTimeCodes, secrets, rules }: Needs,
  { owner, totp, ip, now }: FactorInput,
): FactorAttempt {
  const userId = tokens.userIdOf(owner)
  const about = { email: owner, at: now, client: ip, via: 'rest', mailsPerDay: rules.noticesPerDay } as const
  return {
    userId,
    proof: totp === undefined ? undefined : factorProof(oneTimeCodes, secrets, { userId, code: totp, now }),
    tries: rules.factorTries,
    recovered: factorRecord(secrets, 'use-recovery-code', {
      ...about,
      actor: { kind: 'user', id: userId, role: 'admin' },
    }),
    refused: factorRecord(secrets, 'refuse-totp', {
      ...about,
      actor: ANYBODY,
    }),
  }
}

function wrongCode(): Fault {
  return refusal(
    'unauthorized',
    'This code is wrong, used, expired or tried too often.',
    `Use the long code of the same mail if neither of its codes was used, or ask for a new one with ${call('requestCode')}.`,
    { next: { endpoint: 'requestCode' } },
  )
}

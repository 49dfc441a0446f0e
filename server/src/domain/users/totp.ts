import type { Clock } from '#ports/clock.ts'
import type { AdminFactor, AdminFactors, ProvenChange, ProvenOutcome } from '#ports/factors/admin-factors.ts'
import type { OneTimeCodes } from '#ports/factors/one-time-codes.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { User } from '#ports/stores/users.ts'
import { type Fault, refusal } from '../../fault.ts'
import { adminOnly } from '../agents/management-rights.ts'
import { actorOf, circumstances } from '../agents/manager.ts'
import { digestRecoveryCode, FACTOR_FIX, FACTOR_WRONG, factorProof, factorRecord } from './second-factor.ts'
import { digestNetwork } from './sign-in-code.ts'

export type FactorNeeds = {
  readonly factors: AdminFactors
  readonly oneTimeCodes: OneTimeCodes
  readonly secrets: Pick<Secrets, 'digest' | 'newToken' | 'newLongCode'>
  readonly clock: Clock
  readonly rules: FactorRules
}

type FactorRules = {
  /** Whether every admin must have a second factor. */
  readonly isRequired: boolean
  readonly enrolMs: number
  readonly tries: number
  readonly recoveryCodes: number
  readonly noticesPerDay: number
}

/** 160 bits, the size of the HMAC-SHA-1 that the codes are made with. */
const SECRET_HEX_DIGITS = 40

/** The refusal if the user cannot have a second factor: only admins who sign in by mail can. */
export function refuseFactor(user: User): Fault | undefined {
  const refused = adminOnly(user, 'have a second factor here')
  if (refused || (user.session?.issuedBy === 'sign-in' && user.email !== undefined)) return refused
  return refusal(
    'forbidden',
    'This token is not from a sign-in here, so its issuer manages the second factor.',
    'Sign in by mail and use that token.',
    { next: { endpoint: 'requestCode' } },
  )
}

/**
 * Admins without a required second factor may only enrol one. Operator tokens are exempt: access to the service's
 * machine proves more than a second factor.
 */
export function lacksFactor({
  factors,
  isRequired,
}: Pick<FactorNeeds, 'factors'> & Pick<FactorRules, 'isRequired'>) {
  return async ({ id, role, session }: User): Promise<boolean> =>
    role === 'admin' &&
    session?.issuedBy === 'sign-in' &&
    !session.hasFactor &&
    (isRequired || (await factors.isEnrolled(id)))
}

export function readFactor({ factors, rules }: FactorNeeds) {
  return async (user: User): Promise<{ isRequired: boolean; factor: AdminFactor | undefined }> => ({
    isRequired: rules.isRequired,
    factor: await factors.find(user.id),
  })
}

export function enrolFactor({ factors, oneTimeCodes, secrets, clock, rules }: FactorNeeds) {
  return async (user: User, client: string): Promise<{ secret: string; uri: string; expiresAt: number }> => {
    const now = clock.now()
    const secret = oneTimeCodes.toText(secrets.newToken().slice(0, SECRET_HEX_DIGITS))
    const origin = { client, via: 'rest' } as const
    const record = { action: 'begin-totp', ...circumstances(actorOf(user), origin, now) } as const
    if (!(await factors.begin({ userId: user.id, secret, record }))) {
      throw refusal(
        'forbidden',
        'An authenticator app is enrolled already.',
        'Remove the app first, with a code of it or a recovery code.',
        { next: { endpoint: 'removeTotp' } },
      )
    }
    return { secret, uri: oneTimeCodes.toUri(secret, emailOf(user)), expiresAt: now + rules.enrolMs }
  }
}

/** Returns the recovery codes. */
export function confirmFactor(needs: FactorNeeds) {
  const { factors, oneTimeCodes, secrets, clock, rules } = needs
  return async (user: User, code: string, client: string): Promise<readonly string[]> => {
    const now = clock.now()
    const { codes, digests } = newRecoveryCodes(needs, user.id)
    const outcome = await factors.confirm({
      userId: user.id,
      begunSince: now - rules.enrolMs,
      stepOf: factorProof(oneTimeCodes, secrets, { userId: user.id, code, now }).stepOf,
      recoveryDigests: digests,
      record: recordOf(needs, 'enrol-totp', { user, client, now }),
    })
    if (outcome === 'confirmed') return codes
    if (outcome === 'wrong')
      throw wrongCode('This code does not match the new secret at this time.', NEXT_CODE)
    throw refusal('not_found', 'There is no secret to confirm, or it has expired.', 'Begin again.', {
      next: { endpoint: 'enrolTotp' },
    })
  }
}

export function removeFactor(needs: FactorNeeds) {
  return async (user: User, code: string, client: string): Promise<void> => {
    const change = provenChange(needs, 'remove-totp', code, { user, client, now: needs.clock.now() })
    refuseUnproven(await needs.factors.remove(change))
  }
}

/** Returns the new codes; the old ones no longer work. */
export function renewRecoveryCodes(needs: FactorNeeds) {
  return async (user: User, code: string, client: string): Promise<readonly string[]> => {
    const { codes, digests } = newRecoveryCodes(needs, user.id)
    const circumstances = { user, client, now: needs.clock.now() }
    const change = provenChange(needs, 'renew-recovery-codes', code, circumstances)
    refuseUnproven(await needs.factors.renewRecoveryCodes(change, digests))
    return codes
  }
}

function newRecoveryCodes({ secrets, rules }: FactorNeeds, userId: string) {
  const codes = Array.from({ length: rules.recoveryCodes }, () => secrets.newLongCode())
  return { codes, digests: codes.map((each) => digestRecoveryCode(secrets, userId, each)) }
}

type Change = { readonly user: User; readonly client: string; readonly now: number }

function provenChange(
  needs: FactorNeeds,
  action: 'remove-totp' | 'renew-recovery-codes',
  code: string,
  change: Change,
): ProvenChange {
  const { oneTimeCodes, secrets, rules } = needs
  const { user, client, now } = change
  return {
    userId: user.id,
    sessionId: user.session?.id ?? '',
    networkDigest: digestNetwork(secrets, emailOf(user), client),
    proof: factorProof(oneTimeCodes, secrets, { userId: user.id, code, now }),
    tries: rules.tries,
    now,
    done: recordOf(needs, action, change),
    refused: recordOf(needs, 'refuse-totp', change),
  }
}

function refuseUnproven(outcome: ProvenOutcome): void {
  if (outcome === 'not_enrolled')
    throw refusal('not_found', 'No authenticator app is enrolled.', 'Enrol one first.', {
      next: { endpoint: 'enrolTotp' },
    })
  if (outcome === 'wrong') throw wrongCode(FACTOR_WRONG, FACTOR_FIX)
}

function recordOf(
  { secrets, rules }: FactorNeeds,
  action: 'enrol-totp' | 'remove-totp' | 'renew-recovery-codes' | 'refuse-totp',
  { user, client, now }: Change,
) {
  return factorRecord(secrets, action, {
    email: emailOf(user),
    at: now,
    actor: actorOf(user),
    client,
    via: 'rest',
    mailsPerDay: rules.noticesPerDay,
  })
}

/** Present, because `refuseFactor` was called before. */
const emailOf = ({ email }: User): string => email ?? ''

const NEXT_CODE =
  'Enter the secret of the newest enrolment into the app, check the clock of its device, and send the 6 digits that it shows now.'

const wrongCode = (problem: string, fix: string) =>
  refusal('forbidden', problem, fix, { details: [{ field: 'code', message: 'is wrong or used' }] })

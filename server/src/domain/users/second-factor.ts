import type { FactorProof, FactorRecord } from '#ports/factors/admin-factors.ts'
import type { OneTimeCodes } from '#ports/factors/one-time-codes.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionName, Actor } from '#ports/stores/agent-actions.ts'
import { CLOCK_STEP_MS } from '../../durations.ts'
import { Fault, refusal } from '../../fault.ts'
import { truncateAddress } from '../audit/truncate-address.ts'
import { composeNotice } from '../mail/compose-notice.ts'
import type { NoticeKind } from '../mail/notice-kinds.ts'

type Digests = Pick<Secrets, 'digest'>

/** Hashed together with the user id, so that a code works for its user only. Case-insensitive. */
export const digestRecoveryCode = (secrets: Digests, userId: string, code: string): string =>
  secrets.digest('code', `recovery ${userId} ${code.toUpperCase()}`)

const isRecoveryCode = (code: string): boolean => code.includes('-')

type GivenCode = { readonly userId: string; readonly code: string; readonly now: number }

export function factorProof(
  codes: OneTimeCodes,
  secrets: Digests,
  { userId, code, now }: GivenCode,
): FactorProof {
  return {
    recoveryDigest: isRecoveryCode(code) ? digestRecoveryCode(secrets, userId, code) : undefined,
    stepOf: (secret) => (isRecoveryCode(code) ? undefined : codes.stepOf(secret, code, now)),
    newestStep: codes.stepAt(now + CLOCK_STEP_MS),
  }
}

type FactorAction = Extract<
  ActionName,
  'enrol-totp' | 'remove-totp' | 'reset-totp' | 'renew-recovery-codes' | 'use-recovery-code' | 'refuse-totp'
>

const NOT_YOU = 'If this was not you, tell the operator of the service at once, and secure your mailbox.'

const WHAT_HAPPENED: Readonly<Record<FactorAction, string>> = {
  'enrol-totp': 'An authenticator app was enrolled for your admin account. Each sign-in takes a code of it.',
  'remove-totp': 'The authenticator app of your admin account was removed. Signing in takes no code of it.',
  'reset-totp': 'The operator has removed the authenticator app of your admin account.',
  'renew-recovery-codes':
    'The recovery codes of your admin account were replaced. Those you had do not work any more.',
  'use-recovery-code': 'Somebody signed in to your admin account with a recovery code.',
  'refuse-totp': 'Somebody had a right sign-in code of your admin account, but a wrong second factor.',
}

const KIND_OF: Partial<Readonly<Record<FactorAction, NoticeKind>>> = {
  'refuse-totp': 'factor attempts',
  'remove-totp': 'factor removals',
  'reset-totp': 'factor removals',
}

type Circumstances = {
  readonly email: string
  readonly at: number
  readonly actor: Actor
  readonly client: string
  readonly via: 'rest' | 'cli'
  readonly mailsPerDay: number
}

/** The audit record of an action on the second factor, with the notice to its owner. */
export function factorRecord(secrets: Digests, action: FactorAction, about: Circumstances): FactorRecord {
  const { email, at, actor, client, via, mailsPerDay } = about
  const lines = [WHAT_HAPPENED[action], NOT_YOU]
  return {
    action,
    at,
    actor,
    truncatedAddress: truncateAddress(client),
    via,
    notice: composeNotice(
      secrets,
      { to: email, subject: 'The second factor of your Stakewright admin account', lines },
      { kind: KIND_OF[action] ?? 'factor changes', subject: email, mailsPerDay, now: at },
    ),
  }
}

/** `details` names the field `totp`, so that a program knows which input to ask for. */
export const factorMissing = () => {
  const fix = 'Send the same request again, with the 6 digits of your authenticator app as `totp`.'
  return new Fault('unauthorized', `This admin signs in with a second factor, too. ${fix}`, {
    fix,
    details: [{ field: 'totp', message: 'is required' }],
  })
}

export const FACTOR_WRONG = 'This second factor is wrong, used or tried too often.'
export const FACTOR_FIX = 'Wait for the next code of your app and send it, or use a recovery code.'

export const factorWrong = () =>
  refusal('unauthorized', FACTOR_WRONG, FACTOR_FIX, {
    details: [{ field: 'totp', message: 'is wrong, used or tried too often' }],
  })

import { LIMITS } from '@stakewright/contract'
import type { Config } from '../../config.ts'
import type { PublicUrl, Wired } from './wired.ts'

/** The needs of wallet proofs. */
export const walletProofs = (
  { runtime: { clock }, parts: { challenges, walletSignatures, zkLogins, secrets } }: Wired,
  publicUrl: PublicUrl,
) => ({
  challenges,
  signatures: walletSignatures,
  zkLogins,
  secrets,
  clock,
  publicUrl,
  challengeMs: LIMITS.walletChallengeMs,
})

/** Limits of registrations and code requests without a sign-in. */
export const registrationQuota = ({ limits }: Config) => ({
  perIpHour: limits.registrationsPerIpHour,
  perIpDay: limits.registrationsPerIpDay,
  perDay: limits.registrationsPerDay,
})

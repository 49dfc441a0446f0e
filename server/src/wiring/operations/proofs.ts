import { LIMITS } from '@stakewright/contract'
import type { Config } from '../../config.ts'
import type { PublicUrl, Wired } from './wired.ts'

/** What checks that somebody holds a wallet. */
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

/** How many agents and codes strangers may ask for. */
export const registrationQuota = ({ limits }: Config) => ({
  perIpHour: limits.registrationsPerIpHour,
  perIpDay: limits.registrationsPerIpDay,
  perDay: limits.registrationsPerDay,
})

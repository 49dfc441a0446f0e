import { LIMITS } from '@stakewright/contract'
import type { Endpoints } from '#api/endpoint.ts'
import { sessionEndpoints } from '#api/endpoints/identity/sessions.ts'
import { signInEndpoints } from '#api/endpoints/identity/sign-in.ts'
import { totpEndpoints } from '#api/endpoints/identity/totp.ts'
import type { Origin } from '#domain/agents/manager.ts'
import { fairTurns } from '#domain/limits/fair-turns.ts'
import { exchangeCode } from '#domain/users/exchange-code.ts'
import { requestCode } from '#domain/users/request-code.ts'
import { endSession, listSessions, prepareSession } from '#domain/users/sessions.ts'
import { proveWallet, type WalletProof } from '#domain/users/wallet-proof.ts'
import { registrationQuota, walletProofs } from './proofs.ts'
import type { PublicUrl, Wired } from './wired.ts'

const SIGN_IN_RULES = {
  codeMs: LIMITS.codeMs,
  longCodeMs: LIMITS.longCodeMs,
  tries: { perNetwork: LIMITS.codeTries, byStrangers: LIMITS.codeTriesByStrangers },
  mailsPerDay: LIMITS.codeMailsPerDay,
  resendAfterMs: LIMITS.codeResendAfterMs,
  noticesPerDay: LIMITS.noticeMailsPerDay,
  factorTries: LIMITS.factorTries,
}
/**
 * Checks of each kind of code use at most two of an instance's eight connections at once; the rest waits in a
 * queue.
 */
const CODE_TURNS = { atOnce: 2, waitingOfEach: 20, waiting: 1_000 }
const FACTOR_RULES = {
  enrolMs: LIMITS.enrolTotpMs,
  tries: LIMITS.factorTries,
  recoveryCodes: LIMITS.recoveryCodes,
  noticesPerDay: LIMITS.noticeMailsPerDay,
}

/** The endpoints for sign-in by mail or wallet, sessions and second factors. */
export function userEndpoints(wired: Wired, publicUrl: PublicUrl): Endpoints {
  const { config, runtime, parts } = wired
  const { clock } = runtime
  const { challenges, codes, factors, oneTimeCodes, secrets, sessions, userTokens: tokens } = parts
  const adminEmails = new Set(config.tokens.adminEmails)
  const prepare = prepareSession({ tokens, secrets, clock, most: LIMITS.sessionsPerUser })
  const prove = proveWallet(walletProofs(wired, publicUrl))
  const turns = { code: fairTurns(CODE_TURNS), long_code: fairTurns(CODE_TURNS) }
  const signIn = { codes, secrets, clock, rules: SIGN_IN_RULES, adminEmails }
  return {
    ...signInEndpoints({
      requestCode: requestCode({ ...signIn, quota: registrationQuota(config) }),
      exchangeCode: exchangeCode({ ...signIn, prepare, tokens, oneTimeCodes, turns }),
      exchangeSignature: async (proof: WalletProof, origin: Origin, deadline: AbortSignal) => {
        const prepared = await prepare({ wallet: proof.address, role: 'user' }, origin)
        return prove(proof, deadline, async (challenge) =>
          (await challenges.redeem(challenge, prepared)) ? prepared.issued : undefined,
        )
      },
    }),
    ...sessionEndpoints({
      listSessions: listSessions({ sessions, clock }),
      endSession: endSession({ sessions, clock }),
    }),
    ...totpEndpoints({
      factors,
      oneTimeCodes,
      secrets,
      clock,
      rules: { ...FACTOR_RULES, isRequired: config.tokens.adminTotp === 'required' },
    }),
  }
}

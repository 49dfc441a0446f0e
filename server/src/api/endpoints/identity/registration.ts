import { TIERS } from '@stakewright/contract'
import type { Registered } from '#domain/agents/registration/register-agent.ts'
import { registerByWallet } from '#domain/agents/registration/register-by-wallet.ts'
import type { RegistrationQuota } from '#domain/agents/registration/registration-limits.ts'
import { resendVerification } from '#domain/agents/registration/resend-verification.ts'
import { selfRegister } from '#domain/agents/registration/self-register.ts'
import type { VerificationRules } from '#domain/agents/registration/verification.ts'
import { verifyEmail } from '#domain/agents/registration/verify-email.ts'
import type { issueChallenge, proveWallet } from '#domain/users/wallet-proof.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { UserTokens } from '#ports/stores/users.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'
import type { DoOnce } from '../../once/do-once.ts'
import { toKey, toWalletProof } from '../shapes.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly verification: VerificationRules
  readonly quota: RegistrationQuota
  readonly perOwner: number
  readonly once: DoOnce
  readonly userIdOf: UserTokens['userIdOf']
  readonly issueChallenge: ReturnType<typeof issueChallenge>
  readonly proveWallet: ReturnType<typeof proveWallet>
}

const VERIFY_FIRST =
  'Store this key securely: it is not shown again. It works once the link in the mail to you has been used, within 24 hours.'
const KEEP_IT = 'Store this key securely: it is not shown again. Your wallet can replace and revoke it.'
const ON_ITS_WAY = 'If an agent of this address waits for its verification, a new link is on its way.'

/** Self-registration of agents, by mail or by wallet. */
export function registrationEndpoints(needs: Needs) {
  const register = selfRegister({ ...needs, tiers: TIERS })
  const verify = verifyEmail({ ...needs, tiers: TIERS })
  const resend = resendVerification(needs)
  const registerWallet = registerByWallet({ ...needs, tiers: TIERS })
  return {
    selfRegister: {
      handle: async (input, call) => {
        const { email, agentName, agentType, walletAddress } = input
        const proof = email === undefined ? toWalletProof(input) : undefined
        const { client, via } = call
        const wishes = { agentName, agentType, origin: { client, via } }
        return needs.once(call, {
          endpoint: 'selfRegister',
          status: 201,
          input: { email, agentName, agentType, walletAddress, proof },
          run: async (once) => {
            const made = proof
              ? await needs.proveWallet(proof, call.signal(), (challenge) =>
                  registerWallet({ challenge, ...wishes }, once),
                )
              : await register({ email: email ?? '', walletAddress, ...wishes }, once)
            call.note({ agentId: made.agent.id })
            return made
          },
          toReply: ({ agent, apiKey }: Registered) => ({
            success: true as const,
            data: toKey(agent, apiKey, proof ? KEEP_IT : VERIFY_FIRST),
          }),
        })
      },
    },
    walletChallenge: {
      handle: async ({ address }) => {
        const { message, nonce, expiresAt } = await needs.issueChallenge(address)
        return { reply: { success: true, data: { message, nonce, expiresAt: toIso(expiresAt) } } }
      },
    },
    verifyEmail: {
      handle: async ({ token }, { client, via, note }) => {
        const { id, tier, keyPrefix, verifiedAt } = await verify(token, { client, via })
        note({ agentId: id })
        const at = toIso(verifiedAt ?? needs.clock.now())
        return { reply: { success: true, data: { id, status: 'active', tier, keyPrefix, verifiedAt: at } } }
      },
    },
    resendVerification: {
      handle: async ({ email }, { client }) => {
        await resend(email, client)
        return { reply: { success: true, data: { message: ON_ITS_WAY } } }
      },
    },
  } satisfies Endpoints
}

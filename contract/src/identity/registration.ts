import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import { EmailAddress, IsoTime, TierName } from '../fields.ts'
import { AgentIdText, AgentKey, AgentName, AgentType, envelope, KeyPrefix, Message } from './shapes.ts'
import { hasOneProof, oneProof, WalletProof } from './wallet-proof.ts'

/** Registration of an agent by itself. */
export const registrationRows = {
  selfRegister: {
    tag: 'Identity',
    summary: 'Register an agent',
    description:
      'Returns a key of the tier free at once. With `email` it works after the link in the mail was used, and the answer is the same whether or not the address is known. With `address`, `nonce` and `signature` (see `{{walletChallenge}}`) the wallet is the owner, and the key works at once.',
    body: z
      .strictObject({
        email: EmailAddress.optional().meta({ description: 'Gets the verification mail.' }),
        ...WalletProof,
        agentName: AgentName,
        agentType: AgentType.default('other'),
        walletAddress: ChainIdInput.optional().meta({ description: 'Stored, not verified.' }),
        tier: TierName.optional().meta({ description: 'Accepted and ignored: the key is always free.' }),
      })
      .refine(hasOneProof, oneProof('`email`'))
      .meta({ id: 'SelfRegisterRequest' }),
    status: 201,
    reply: AgentKey,
    isRepeatable: true,
    errors: ['unauthorized', 'forbidden', 'rate_limited', 'store_not_ready', 'rpc_unavailable'],
  },
  walletChallenge: {
    tag: 'Identity',
    summary: 'A text for a wallet to sign',
    description:
      'Returns a `message`: sign it as a personal message with the wallet of the address, and send the signature with `nonce` to `{{selfRegister}}`. Signing in takes them as well. Each challenge is good for one use within 5 minutes.',
    body: z
      .strictObject({ address: ChainIdInput.meta({ description: 'The address on Sui to prove.' }) })
      .meta({ id: 'ChallengeRequest' }),
    reply: envelope(
      z.object({
        message: z.string().meta({ description: 'The text to sign, as it is.' }),
        nonce: z.string().meta({ description: 'Names the challenge; send it back with the signature.' }),
        expiresAt: IsoTime.meta({ description: 'From this moment on the challenge is refused.' }),
      }),
    ).meta({ id: 'WalletChallenge' }),
    addressBudget: 'sign-in',
    errors: ['store_not_ready'],
  },
  verifyEmail: {
    tag: 'Identity',
    summary: 'Verify the e-mail address',
    description: 'Activates the key. May be repeated for 24 hours.',
    overHttp: 'HEAD and OPTIONS change nothing.',
    query: z.object({
      token: z
        .string({ error: 'must be the token of the mail' })
        .meta({ description: 'The 64 hex characters of the link in the mail.' }),
    }),
    reply: envelope(
      z.object({
        id: AgentIdText,
        status: z.literal('active').meta({ description: 'The key works from now on.' }),
        tier: TierName,
        keyPrefix: KeyPrefix,
        verifiedAt: IsoTime,
      }),
    ).meta({ id: 'Verified' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  resendVerification: {
    tag: 'Identity',
    summary: 'Send the verification mail again',
    description:
      'Mails a new link. The answer is always the same, so it does not tell whether an address is known.',
    body: z.strictObject({ email: EmailAddress }).meta({ id: 'ResendRequest' }),
    status: 202,
    reply: envelope(Message).meta({ id: 'Accepted' }),
    errors: ['rate_limited', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

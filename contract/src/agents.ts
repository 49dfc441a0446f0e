import { z } from 'zod'
import { ChainIdInput } from './chain-id.ts'
import type { EndpointSpec } from './endpoint.ts'
import { EmailAddress, IsoTime, NextCursor, PageQuery, RateLimits, TierName } from './fields.ts'
import { oneOf, wholeFrom } from './inputs.ts'
import { LIMITS } from './limits.ts'

const envelope = <T extends z.ZodType>(data: T) =>
  z.object({
    success: z.literal(true).meta({ description: 'Envelope flag of management answers.' }),
    data: data.meta()?.id ? data : data.meta({ description: 'The answer itself.' }),
  })

export const AgentName = z
  .string({ error: 'must be 1 to 64 printable characters' })
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u, { error: 'must be 1 to 64 printable characters' })
  .refine((text) => text.trim() === text, { error: 'must not start or end with a space' })
  .meta({ description: '1 to 64 printable characters.', examples: ['yield-scout'] })

export const AgentType = oneOf(['autonomous', 'assistant', 'bot', 'service', 'other']).meta({
  description: 'What kind of program the agent is.',
})

const AgentStatus = z
  .enum(['pending_verification', 'active', 'revoked', 'expired', 'suspended'])
  .meta({ description: 'expired: the verification link was not used in time · suspended: by an admin.' })

const IdentityTier = z
  .enum(['unverified', 'email_verified', 'wallet_verified', 'user_linked', 'admin_verified'])
  .meta({ description: 'How much is known about who stands behind the agent.' })

const Permissions = z.array(z.enum(['read'])).meta({ description: 'Keys read and build; they never sign.' })

const AgentIdText = z.string().meta({ description: 'Id of the agent.' })

const KeyPrefix = z.string().meta({
  description: 'The first 12 characters of the key, to recognise it by.',
  examples: ['stk_4fQz8KbW'],
})

const Message = z.object({ message: z.string().meta({ description: 'What happens next.' }) })

export const AgentKey = envelope(
  z.object({
    id: AgentIdText,
    apiKey: z.string().meta({ description: 'Shown this once; it cannot be retrieved later.' }),
    keyPrefix: KeyPrefix,
    tier: TierName,
    status: AgentStatus,
    rateLimits: RateLimits,
    permissions: Permissions,
    warning: z.string().meta({ description: 'What to do with the key now.' }),
  }),
).meta({ id: 'AgentKey' })

const RotatedKey = envelope(
  AgentKey.shape.data.extend({
    previousKeyExpiresAt: IsoTime.meta({ description: 'From this moment the previous key is refused.' }),
  }),
).meta({ id: 'RotatedKey' })

const Agent = z
  .object({
    id: AgentIdText,
    agentName: AgentName,
    owner: z.string().meta({
      description: 'Who manages it: the e-mail address, the wallet, or `sandbox` for keys of the sandbox.',
      examples: ['ann@example.com'],
    }),
    agentType: AgentType,
    identityTier: IdentityTier,
    tier: TierName,
    status: AgentStatus,
    keyPrefix: KeyPrefix,
    rateLimits: RateLimits,
    permissions: Permissions,
    createdAt: IsoTime.meta({ description: 'When it was registered.' }),
    verifiedAt: IsoTime.nullable().meta({ description: 'When its address was verified. Null: not yet.' }),
    lastUsedAt: IsoTime.nullable().meta({ description: 'When its key was last used. Null: never.' }),
    rotatedAt: IsoTime.nullable().meta({ description: 'When its key was last replaced. Null: never.' }),
    revokedAt: IsoTime.nullable().meta({ description: 'When it was revoked. Null: it was not.' }),
  })
  .meta({ id: 'Agent', description: 'An agent and the state of its key.' })

const Revoked = envelope(
  z.object({
    id: AgentIdText,
    status: z.literal('revoked').meta({ description: 'The key is refused for good.' }),
    revokedAt: IsoTime.meta({ description: 'When it was revoked.' }),
  }),
).meta({ id: 'Revoked' })

/** What can be done to an agent. */
export const ACTIONS = [
  'register',
  'replace',
  'rotate',
  'revoke',
  'suspend',
  'resume',
  'set-limits',
  'revoke-self',
  'report-leak',
] as const

const MomentInput = z.iso.datetime({ error: 'must be a moment such as 2026-01-31T12:00:00Z' })

const AuditEntry = z
  .object({
    at: IsoTime,
    endpoint: z.string().meta({ description: 'Method and route template.' }),
    method: z.string().nullable().meta({ description: 'HTTP method; null where no request was made.' }),
    status: z.int().nullable().meta({ description: 'Null: the process ended before the answer.' }),
    latencyMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Milliseconds. Null: the process ended before the answer, or it is an action.' }),
    ip: z.string().meta({ description: 'Truncated address.' }),
    actor: z
      .object({
        kind: z
          .enum(['user', 'agent', 'anybody', 'operator'])
          .meta({ description: 'anybody: nobody was asked who it is · operator: a command on the machine.' }),
        id: z.string().nullable().meta({ description: 'Null where it is not known, or not yours to see.' }),
        role: z.enum(['user', 'admin']).nullable().meta({ description: 'Null where it is no user.' }),
      })
      .meta({ description: 'Who did it.' }),
    action: z
      .enum(ACTIONS)
      .nullable()
      .meta({ description: 'What was done to the agent; null for a request of the agent itself.' }),
    target: z.string().nullable().meta({ description: 'Id of the agent it was done to.' }),
    via: z.enum(['rest', 'mcp', 'cli']).meta({ description: 'How it came in.' }),
  })
  .meta({ id: 'AuditEntry' })

const AgentId = z.object({
  id: z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(128, { error: 'must be at most 128 characters' })
    .meta({ description: 'Id of one of your agents.', examples: ['agt_…'] }),
})

/** What proves an address on Sui: each field, or none of them. */
const WalletProof = {
  address: ChainIdInput.optional().meta({ description: 'Instead of `email`: an address on Sui.' }),
  nonce: z.string().max(128).optional().meta({ description: 'With `address`: the nonce of the challenge.' }),
  signature: z
    .string()
    .max(8_192)
    .optional()
    .meta({ description: 'With `address`: the signature of the challenge’s message, in base64.' }),
}
const ONE_PROOF = 'must have either `email`, or `address`, `nonce` and `signature`'

type Proof = { email?: unknown; address?: unknown; nonce?: unknown; signature?: unknown }

function hasOneProof({ email, address, nonce, signature }: Proof): boolean {
  const parts = [address, nonce, signature].filter((part) => part !== undefined).length
  return email === undefined ? parts === 3 : parts === 0
}

/** Registration, verification and management of agents. */
export const agentRows = {
  selfRegister: {
    tag: 'Identity',
    summary: 'Register an agent',
    description:
      'Returns a free key at once. With `email` it works after the link in the mail was used, and the answer is the same whether or not the address is known. With `address`, `nonce` and `signature` (see `walletChallenge`) the wallet is the owner, and the key works at once.',
    body: z
      .strictObject({
        email: EmailAddress.optional().meta({ description: 'Gets the verification mail.' }),
        ...WalletProof,
        agentName: AgentName,
        agentType: AgentType.default('other'),
        walletAddress: ChainIdInput.optional(),
        tier: TierName.optional().meta({ description: 'Accepted and ignored: the key is always free.' }),
      })
      .refine(hasOneProof, { error: ONE_PROOF })
      .meta({ id: 'SelfRegisterRequest' }),
    status: 201,
    reply: AgentKey,
    errors: ['rate_limited', 'store_not_ready'],
  },
  walletChallenge: {
    tag: 'Identity',
    summary: 'A text for a wallet to sign',
    description:
      'Sign `message` as a personal message with the wallet of the address, and send the signature with `nonce` to `selfRegister` or `exchangeCode`. Each challenge is good for one use within 5 minutes.',
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
    errors: ['store_not_ready'],
  },
  verifyEmail: {
    tag: 'Identity',
    summary: 'Verify the e-mail address',
    description: 'Activates the key. May be repeated for 24 hours. HEAD and OPTIONS change nothing.',
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
    errors: ['store_not_ready'],
  },
  resendVerification: {
    tag: 'Identity',
    summary: 'Send the verification mail again',
    description: 'Answers 202 always, so that it tells nobody which addresses are known.',
    body: z.strictObject({ email: EmailAddress }).meta({ id: 'ResendRequest' }),
    status: 202,
    reply: envelope(Message).meta({ id: 'Accepted' }),
    errors: ['rate_limited', 'store_not_ready'],
  },
  listAgents: {
    tag: 'Identity',
    summary: 'Your agents',
    description: 'Every agent registered with your verified e-mail address, newest first.',
    query: PageQuery.extend({
      all: z.boolean().default(false).meta({ description: 'Admins only: agents of everybody.' }),
    }),
    reply: envelope(z.array(Agent)).extend({ nextCursor: NextCursor }).meta({ id: 'AgentList' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  registerAgent: {
    tag: 'Identity',
    summary: 'Register an agent as a user',
    description:
      'The key is active at once. Users register for themselves, free or builder. Admins may set any tier, owner and limits, and promote an agent with `replaces`: its old key dies in the same commit.',
    body: z
      .strictObject({
        agentName: AgentName,
        tier: TierName.default('free'),
        agentType: AgentType.default('other'),
        email: EmailAddress.optional().meta({ description: 'Admins only: the owner, if not yourself.' }),
        rateLimits: RateLimits.optional().meta({ description: 'Admins only: limits other than the tier’s.' }),
        replaces: z
          .string()
          .max(128)
          .optional()
          .meta({ description: 'Admins only: id of the agent to promote.' }),
      })
      .meta({ id: 'RegisterRequest' }),
    status: 201,
    reply: AgentKey,
    errors: ['forbidden', 'not_found', 'store_not_ready'],
  },
  updateAgent: {
    tag: 'Identity',
    summary: 'Suspend, resume or set limits',
    description: 'Admins only.',
    params: AgentId,
    body: z
      .strictObject({
        status: z
          .enum(['active', 'suspended'], { error: 'must be active or suspended' })
          .optional()
          .meta({ description: 'suspended stops the key at once; active lets it work again.' }),
        rateLimits: RateLimits.optional(),
      })
      .refine((body) => body.status !== undefined || body.rateLimits !== undefined, {
        error: 'must set `status`, `rateLimits` or both',
      })
      .meta({ id: 'UpdateAgentRequest' }),
    reply: envelope(Agent).meta({ id: 'AgentUpdated' }),
    errors: ['forbidden', 'not_found', 'store_not_ready'],
  },
  rotateKey: {
    tag: 'Identity',
    summary: 'Replace the key',
    description:
      'The old key is refused from the commit on, unless you ask for a grace period. Quotas are the agent’s: rotation resets none.',
    params: AgentId,
    body: z
      .strictObject({
        gracePeriodSeconds: wholeFrom(0, LIMITS.graceSeconds)
          .default(0)
          .meta({ description: 'How long the old key goes on working, in seconds.' }),
      })
      .meta({ id: 'RotateRequest' }),
    bodyOptional: true,
    reply: RotatedKey,
    errors: ['not_found', 'store_not_ready'],
  },
  revokeAgent: {
    tag: 'Identity',
    summary: 'Revoke an agent',
    description: 'Its key is refused from the commit on, for good. May be repeated.',
    params: AgentId,
    reply: Revoked,
    errors: ['not_found', 'store_not_ready'],
  },
  revokeSelf: {
    tag: 'Identity',
    summary: 'Revoke this key',
    description:
      'The key that is sent ends itself and its agent, for good; no sign-in is needed. A key that was replaced and is in its grace period ends alone. A key that is used up, suspended or not verified is refused here: report it as leaked.',
    reply: Revoked,
    errors: ['store_not_ready'],
  },
  reportLeak: {
    tag: 'Identity',
    summary: 'Report a leaked key',
    description:
      'For anybody who has found a key. If it works, it is revoked at once and its owner gets a mail. Answers 202 always.',
    body: z
      .strictObject({
        apiKey: z
          .string({ error: 'must be the whole key' })
          .min(1, { error: 'must be the whole key' })
          .max(200, { error: 'must be the whole key, at most 200 characters' })
          .meta({ description: 'The whole key, as it was found.' }),
      })
      .meta({ id: 'LeakReport' }),
    status: 202,
    reply: envelope(Message).meta({ id: 'LeakReported' }),
    errors: ['store_not_ready'],
  },
  agentProfile: {
    tag: 'Identity',
    summary: 'Behaviour over 30 days',
    description: 'How the agent used the service: comparing, computing, checking rules.',
    params: AgentId,
    reply: envelope(
      z.object({
        agentName: AgentName,
        agentType: AgentType,
        identityTier: IdentityTier,
        avgDailyQueries: z
          .number()
          .min(0)
          .meta({ description: 'Requests per day that the agent existed in the period.' }),
        termShoppingCount: z
          .int()
          .min(0)
          .meta({ description: 'Comparing look-ups: scored, delegators, positions.' }),
        underwritingCount: z
          .int()
          .min(0)
          .meta({ description: 'Computations: allocate, plans, transactions.' }),
        policyCheckCount: z.int().min(0).meta({ description: 'Checks of rules: metadata, usage.' }),
        riskAwarenessScore: z.number().min(0).max(100).meta({
          description: 'Share of transactions built after a look-up and a policy check within 15 minutes.',
        }),
        toolBreakdown: z.record(z.string(), z.int().min(0)).meta({ description: 'Requests per endpoint.' }),
        periodDays: z.int().meta({ description: 'Days that the figures cover.', examples: [30] }),
      }),
    ).meta({ id: 'Profile' }),
    errors: ['not_found', 'store_not_ready'],
  },
  agentAudit: {
    tag: 'Identity',
    summary: 'What the agent did, and what was done to it',
    description:
      'Requests of the agent and management actions on it (`action` is not null), newest first, as the audit log has them.',
    params: AgentId,
    query: PageQuery,
    reply: envelope(z.array(AuditEntry)).extend({ nextCursor: NextCursor }).meta({ id: 'AuditPage' }),
    errors: ['not_found', 'store_not_ready'],
  },
  listActions: {
    tag: 'Identity',
    summary: 'Management actions of everybody',
    description:
      'Admins only: who did what to which agent, newest first. With `Accept: application/x-ndjson` the entries come as one JSON object per line, up to 10,000, and the header `X-Next-Cursor` says where to go on. Requests of one agent are at `/api/v1/agents/{id}/audit`.',
    query: PageQuery.extend({
      agentId: z.string().max(128).optional().meta({ description: 'Only what was done to this agent.' }),
      actor: z
        .string()
        .max(512)
        .optional()
        .meta({ description: 'Only what the user or agent with this id did.' }),
      action: oneOf(ACTIONS).optional().meta({ description: 'Only actions of this kind.' }),
      from: MomentInput.optional().meta({ description: 'From this moment on; ISO-8601, UTC.' }),
      to: MomentInput.optional().meta({ description: 'Before this moment; ISO-8601, UTC.' }),
    }),
    reply: envelope(z.array(AuditEntry)).extend({ nextCursor: NextCursor }).meta({ id: 'ActionPage' }),
    errors: ['forbidden', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

/** How a person gets the JWT that the management endpoints ask for. */
export const userRows = {
  requestCode: {
    tag: 'Users',
    summary: 'Ask for a sign-in code',
    description:
      'Mails a 6-digit code that is good for 10 minutes and 5 tries from each network, and a long one that is good for 6 hours and cannot be spoilt by others’ wrong tries. Answers 202 whether or not the address is known.',
    body: z.strictObject({ email: EmailAddress }).meta({ id: 'CodeRequest' }),
    status: 202,
    reply: envelope(Message).meta({ id: 'CodeAccepted' }),
    errors: ['rate_limited', 'store_not_ready'],
  },
  exchangeCode: {
    tag: 'Users',
    summary: 'Exchange the code for a token',
    description:
      'Returns the JWT for the management endpoints, for the code of a mail or for the signature of a wallet (see `walletChallenge`).',
    body: z
      .strictObject({
        email: EmailAddress.optional().meta({ description: 'The address that the code was mailed to.' }),
        ...WalletProof,
        code: z
          .string({ error: 'must be the 6 digits of the mail, or its long code' })
          .regex(/^([0-9]{6}|[0-9A-Za-z]{5}(-[0-9A-Za-z]{5}){3})$/, {
            error: 'must be the 6 digits of the mail, or its long code',
          })
          .optional()
          .meta({ description: 'The 6 digits of the mail, or its long code.', examples: ['123456'] }),
      })
      .refine((body) => hasOneProof(body) && (body.email === undefined) === (body.code === undefined), {
        error: 'must have either `email` and `code`, or `address`, `nonce` and `signature`',
      })
      .meta({ id: 'TokenRequest' }),
    reply: envelope(
      z.object({
        accessToken: z.string().meta({ description: 'The JWT; send it as `Authorization: Bearer`.' }),
        tokenType: z.literal('Bearer').meta({ description: 'How to send it.' }),
        expiresIn: z.int().meta({ description: 'Seconds.' }),
      }),
    ).meta({ id: 'AccessToken' }),
    errors: ['unauthorized', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { EmailAddress, IsoTime, NextCursor, PageQuery, RateLimits, TierName } from '../fields.ts'
import { oneOf, textUpTo, wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { fieldsQuery, listOf } from '../lists.ts'
import { PolicySummary } from '../mandates/policy.ts'
import {
  AGENT_STATES,
  AgentId,
  AgentIdText,
  AgentKey,
  AgentName,
  AgentStatus,
  AgentType,
  envelope,
  IdentityTier,
  KeyPrefix,
  Permissions,
  PreviousKey,
  Revoked,
} from './shapes.ts'

const RotatedKey = envelope(
  AgentKey.shape.data.extend({
    previousKeyExpiresAt: IsoTime.meta({ description: 'From this moment the previous key is refused.' }),
  }),
).meta({ id: 'RotatedKey' })

/** Days of a profile, today included. */
const PROFILE_DAYS = 30

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
    previousKey: PreviousKey,
    rateLimits: RateLimits,
    used: RateLimits.meta({ description: 'Requests counted in the present UTC minute and UTC day.' }),
    requestsPerDay: z
      .array(z.int().min(0))
      .length(PROFILE_DAYS)
      .meta({
        description: `Requests on each of the last ${PROFILE_DAYS} UTC days, today last.`,
        examples: [[...Array<number>(PROFILE_DAYS - 3).fill(0), 12, 31, 7]],
      }),
    policy: PolicySummary,
    permissions: Permissions,
    createdAt: IsoTime.meta({ description: 'When it was registered.' }),
    verifiedAt: IsoTime.nullable().meta({ description: 'When its address was verified. Null: not yet.' }),
    lastUsedAt: IsoTime.nullable().meta({ description: 'When its key was last used. Null: never.' }),
    rotatedAt: IsoTime.nullable().meta({ description: 'When its key was last replaced. Null: never.' }),
    revokedAt: IsoTime.nullable().meta({ description: 'When it was revoked. Null: it was not.' }),
  })
  .meta({ id: 'Agent', description: 'An agent and the state of its key.' })

const AGENTS = listOf('data', Agent, ['id', 'agentName', 'tier', 'status', 'keyPrefix', 'lastUsedAt'])

/** Management of agents by users and admins. */
export const agentRows = {
  listAgents: {
    tag: 'Identity',
    summary: 'Your agents',
    description:
      'Every agent registered with your verified e-mail address, newest first, unverified ones last.',
    query: PageQuery.extend({
      all: z.boolean().default(false).meta({ description: 'Admins only: agents of everybody.' }),
      search: textUpTo(128).optional().meta({
        description: 'Only those with this text in name, owner, id or key prefix; case-insensitive.',
      }),
      status: oneOf(AGENT_STATES).optional().meta({ description: 'Only those in this state now.' }),
      exceptName: AgentName.optional().meta({ description: 'Without those with exactly this name.' }),
      ...fieldsQuery(AGENTS),
    }),
    list: AGENTS,
    reply: envelope(z.array(Agent)).extend({ nextCursor: NextCursor }).meta({ id: 'AgentList' }),
    addressBudget: 'agent-revocation',
    errors: ['forbidden', 'store_not_ready'],
  },
  readAgent: {
    tag: 'Identity',
    summary: 'One of your agents',
    description: 'As in the list; admins read those of everybody.',
    params: AgentId,
    reply: envelope(Agent).meta({ id: 'AgentAnswer' }),
    addressBudget: 'agent-revocation',
    errors: ['not_found', 'store_not_ready'],
  },
  registerAgent: {
    tag: 'Identity',
    summary: 'Register an agent as a user',
    description:
      'The key is active at once. Users register for themselves, free or builder. Admins may set any tier, owner and limits, and promote an agent with `replaces`: its old key is refused from the same commit on, and its policy applies to the new agent.',
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
    isRepeatable: true,
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
      'The old key is refused from the commit on, unless you ask for a grace period; `previousKey` of the agent shows it, and revoking the key `previous` ends it early. Limits are those of the agent: rotation does not reset what is used of them.',
    params: AgentId,
    body: z
      .strictObject({
        gracePeriodSeconds: wholeFrom(0, LIMITS.graceSeconds)
          .default(0)
          .meta({ description: 'How long the old key continues to work, in seconds.' }),
      })
      .meta({ id: 'RotateRequest' }),
    bodyOptional: true,
    reply: RotatedKey,
    isRepeatable: true,
    errors: ['not_found', 'store_not_ready'],
  },
  revokeAgent: {
    tag: 'Identity',
    summary: 'Revoke an agent',
    description: 'Its key is refused from the commit on, for good. May be repeated.',
    params: AgentId,
    reply: Revoked,
    addressBudget: 'agent-revocation',
    errors: ['not_found', 'store_not_ready'],
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
          .meta({ description: 'Mean number of requests per day of the period on which the agent existed.' }),
        termShoppingCount: z
          .int()
          .min(0)
          .meta({ description: 'Look-ups to compare: scored validators, delegators, positions, rewards.' }),
        underwritingCount: z
          .int()
          .min(0)
          .meta({ description: 'Computations: allocate, plans, backtests, transactions.' }),
        policyCheckCount: z
          .int()
          .min(0)
          .meta({ description: 'Checks of rules: metadata, usage, the own policy, simulations.' }),
        riskAwarenessScore: z.number().min(0).max(100).meta({
          description:
            'Percent of the requests for a transaction, refused ones too, that a look-up and a policy check preceded within 15 minutes; 0 without any.',
        }),
        toolBreakdown: z.record(z.string(), z.int().min(0)).meta({ description: 'Requests per endpoint.' }),
        periodDays: z.int().meta({ description: 'Days that the figures cover.', examples: [30] }),
      }),
    ).meta({ id: 'Profile' }),
    errors: ['not_found', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

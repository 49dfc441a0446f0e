import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { Amount, IsoTime, MomentInput, NextCursor, PageQuery, tokenUnit } from '../fields.ts'
import { oneOf, wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { fieldsQuery, listOf } from '../lists.ts'
import { BrokenRule } from '../mandates/policy.ts'
import { CODES } from '../openapi/error-schema.ts'
import { SCOPES } from '../scopes.ts'
import { AgentId, envelope } from './shapes.ts'

/** Actions on an agent, or on the sessions and the second factor of a user. */
const ACTIONS = [
  'register',
  'self-register',
  'activate',
  'create-sandbox-key',
  'replace',
  'rotate',
  'revoke',
  'suspend',
  'resume',
  'set-limits',
  'revoke-self',
  'report-leak',
  'create-key',
  'revoke-key',
  'set-policy',
  'approve-transaction',
  'refuse-transaction',
  'release-reservation',
  'sign-in',
  'issue-token',
  'end-session',
  'begin-totp',
  'enrol-totp',
  'remove-totp',
  'reset-totp',
  'renew-recovery-codes',
  'use-recovery-code',
  'refuse-totp',
] as const

/** Ids of users and agents are never one of these words. */
export const ACTOR_KINDS = ['user', 'agent', 'anybody', 'operator'] as const

export type ActorKind = (typeof ACTOR_KINDS)[number]

export type ActionName = (typeof ACTIONS)[number]

const Limits = z.object({
  rpm: z.int().min(0).meta({ description: 'Requests per UTC minute.' }),
  rpd: z.int().min(0).meta({ description: 'Requests per UTC day.' }),
})

const AuditEntry = z
  .object({
    at: IsoTime,
    endpoint: z.string().meta({ description: 'Method and route template.' }),
    method: z.string().nullable().meta({ description: 'HTTP method; null where no request was made.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the answer. Null: the process ended before it.' }),
    latencyMs: z
      .number()
      .min(0)
      .nullable()
      .meta({ description: 'Milliseconds. Null: the process ended before the answer, or it is an action.' }),
    ip: z.string().meta({ description: 'Network address of the caller, truncated.' }),
    actor: z
      .object({
        kind: z.enum(ACTOR_KINDS).meta({
          description:
            'anybody: the caller was not identified · operator: a command on the machine, or a token that one has made.',
        }),
        id: z.string().nullable().meta({ description: 'Null: not known, or not yours to see.' }),
        role: z.enum(['user', 'admin']).nullable().meta({ description: 'Null where it is no user.' }),
        session: z.string().nullable().meta({
          description: 'Id of the session that it was done with; null where it is none, or not yours to see.',
        }),
        key: z.string().nullable().meta({
          description:
            'Id of the named key that it was done with; null where it is the primary key of an agent, or no agent.',
        }),
      })
      .meta({ description: 'Who did it.' }),
    action: z
      .enum(ACTIONS)
      .nullable()
      .meta({ description: 'What was done; null for a request of the agent itself.' }),
    target: z.string().nullable().meta({
      description:
        'Id of the agent it was done to, or of the user whose session or second factor it is about.',
    }),
    key: z
      .object({
        id: z.string().nullable().meta({ description: 'Null: the primary key.' }),
        prefix: z.string().meta({ description: 'Its first characters.' }),
        terms: z
          .object({
            scopes: z.array(z.enum(SCOPES)).meta({ description: 'What it may do.' }),
            allowedNetworks: z
              .array(z.string())
              .meta({ description: 'Networks that it is accepted from. Empty: from everywhere.' }),
            expiresAt: IsoTime.nullable().meta({ description: 'Null: it has no end.' }),
          })
          .nullable()
          .meta({ description: 'What `create-key` made it with; null for other actions.' }),
      })
      .nullable()
      .meta({
        description: 'The key that was made or ended. Null: no key was, or it is not known.',
      }),
    session: z
      .string()
      .nullable()
      .meta({ description: 'Id of the session that began or ended. Null: none did.' }),
    limits: z
      .object({
        before: Limits.nullable().meta({ description: 'Null: those of the tier.' }),
        after: Limits.meta({ description: 'Those that hold from then on.' }),
      })
      .nullable()
      .meta({ description: 'What `set-limits` changed.' }),
    policy: z
      .object({
        revision: z.int().min(1).meta({ description: 'The revision that it made.' }),
        change: z.enum(['paused', 'resumed']).nullable().meta({
          description: 'Where the agent was only paused or resumed; null: it changed something else.',
        }),
      })
      .nullable()
      .meta({ description: 'What `set-policy` wrote.' }),
    build: z
      .object({
        amount: Amount.nullable().meta({
          description: 'What it moves, in smallest units. Null: it was refused before that was known.',
        }),
        refusal: z
          .object({
            code: z.enum(CODES).meta({ description: 'Code of the error.' }),
            message: z.string().meta({ description: 'What was wrong; at most 240 characters.' }),
            broken: z
              .array(BrokenRule)
              .meta({ description: 'Up to five rules that it broke. Empty: no policy refused it.' }),
          })
          .nullable()
          .meta({ description: 'Why it was refused. Null: it was built, or waits for `approvalId`.' }),
      })
      .nullable()
      .meta({ description: 'The outcome of a build; null for everything else, and where it is not known.' }),
    approvalId: z.string().nullable().meta({
      description: 'The approval that a build waits for or used, or that was decided; null where it is none.',
    }),
    via: z.enum(['rest', 'mcp', 'cli']).meta({ description: 'The interface of the request.' }),
  })
  .meta({ id: 'AuditEntry' })

const ENTRIES = listOf('data', AuditEntry, ['at', 'endpoint', 'status', 'actor', 'action', 'target'])

/** The audit log. */
export const auditRows = {
  agentAudit: {
    tag: 'Identity',
    summary: 'Audit log of an agent',
    description:
      'Requests of the agent and management actions on it (`action` is not null), newest first, as the audit log has them.',
    params: AgentId,
    query: PageQuery.extend(fieldsQuery(ENTRIES)),
    list: ENTRIES,
    reply: envelope(z.array(AuditEntry))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'AuditPage' }),
    errors: ['not_found', 'store_not_ready'],
  },
  listActions: {
    tag: 'Identity',
    summary: 'Management actions on all agents',
    description:
      'Admins only: who did what to which agent, and who signed in, newest first. With `Accept: application/x-ndjson` the entries come as one JSON object per line, `limit` of them or, without it, up to 10,000, and the header `X-Next-Cursor` says where to go on. Requests of one agent are at `/api/v1/agents/{id}/audit`.',
    query: PageQuery.extend({
      limit: wholeFrom(1, LIMITS.pageSize.max)
        .optional()
        .meta({ description: `Items on a page; ${LIMITS.pageSize.default} where it is left out.` }),
      agentId: z.string().max(128).optional().meta({
        description: 'Only what was done to this agent, or to the sessions and second factor of this user.',
      }),
      actor: z
        .string()
        .max(512)
        .optional()
        .meta({
          description: `Only what the user or agent with this id did, or actors of this kind: ${ACTOR_KINDS.join(', ')}.`,
        }),
      action: oneOf(ACTIONS).optional().meta({ description: 'Only actions of this kind.' }),
      from: MomentInput.optional().meta({ description: 'From this moment on; ISO-8601, UTC.' }),
      to: MomentInput.optional().meta({ description: 'Before this moment; ISO-8601, UTC.' }),
      ...fieldsQuery(ENTRIES),
    }),
    list: ENTRIES,
    reply: envelope(z.array(AuditEntry))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'ActionPage' }),
    errors: ['forbidden', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

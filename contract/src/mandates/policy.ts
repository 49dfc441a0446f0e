import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { IsoTime, NextCursor, PageQuery, Sender, tokenUnit } from '../fields.ts'
import { AgentId, envelope } from '../identity/shapes.ts'
import { IdInput, wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { fieldsQuery, listOf } from '../lists.ts'
import { batchItems } from '../transactions/build.ts'
import { DecidingUser } from './deciding-user.ts'
import { PolicyRuleName, policyFields } from './rules.ts'

const Revision = z
  .int()
  .min(1)
  .meta({ description: 'Number of the revision, from 1.', examples: [3] })

const PolicyHash = z
  .string()
  .meta({ description: 'SHA-256 over the policy as canonical JSON (RFC 8785), in hex.' })

const PolicyRevision = z
  .object({
    revision: Revision,
    hash: PolicyHash,
    ...policyFields,
    changedAt: IsoTime.meta({ description: 'When it was written; it is in force since then.' }),
    changedBy: DecidingUser.meta({ description: 'Who wrote it.' }),
  })
  .meta({ id: 'PolicyRevision', description: 'A policy as it was written; it never changes.' })

const REVISIONS = listOf('data', PolicyRevision, ['revision', 'changedAt', 'changedBy', 'rules'])

const Policy = PolicyRevision.extend({
  beside: z
    .array(
      z.object({
        revision: Revision,
        rules: policyFields.rules,
        until: IsoTime.meta({ description: 'From this moment on it is no longer in force.' }),
      }),
    )
    .meta({
      description:
        'Earlier revisions that are still in force beside it, because of their `loosenAfterSeconds`.',
    }),
})
  .meta({ id: 'Policy' })
  .nullable()
  .meta({ description: 'Null: the agent has none, and may build whatever the chain accepts.' })

/** A policy as lists of agents show it. */
export const PolicySummary = z
  .object({
    revision: Revision,
    paused: z.boolean().meta({
      description: 'Whether nothing may be built: it is paused, or an earlier revision that still holds is.',
    }),
    rules: z.array(PolicyRuleName).meta({ description: 'Names of its rules, each once.' }),
  })
  .meta({ id: 'PolicySummary' })
  .nullable()
  .meta({ description: 'Summary of its policy. Null: it has none.' })

/** One broken rule, as refusals and simulations show it. */
export const BrokenRule = z
  .object({
    rule: z.string().meta({ description: 'Name of the rule.' }),
    limit: z.string().meta({ description: 'What it allows; an amount is in smallest units.' }),
    actual: z.string().meta({ description: 'What was asked for.' }),
    clearsAt: IsoTime.nullable().meta({
      description: 'When the same request would comply with this rule. Null: waiting does not help.',
    }),
  })
  .meta({ id: 'BrokenRule' })

/** Policies of agents. */
export const policyRows = {
  readPolicy: {
    tag: 'Mandates',
    summary: 'Policy of an agent',
    description: 'The policy in force. The header `ETag` has its revision, for `If-Match`.',
    params: AgentId,
    reply: envelope(Policy).extend(tokenUnit).meta({ id: 'PolicyAnswer' }),
    errors: ['not_found', 'store_not_ready'],
  },
  writePolicy: {
    tag: 'Mandates',
    summary: 'Set the policy of an agent',
    description: `In force from the commit on, on every instance. From the second revision on, \`If-Match\` or \`revision\` is required and names the one that is replaced: 400 without it, 412 when another one is in force. Revisions never change, and none is removed. At most ${LIMITS.policyChangesPerDay} changes within 24 hours, and ${LIMITS.policiesInForce} revisions in force at once; a change that only pauses the agent is always accepted.`,
    params: AgentId,
    body: z
      .strictObject({
        ...policyFields,
        revision: wholeFrom(0, 1_000_000_000).optional().meta({
          description:
            'The revision that this one replaces, required from the second on; 0: there is none yet. As `If-Match`.',
        }),
      })
      .meta({ id: 'PolicyRequest' }),
    reply: envelope(Policy).extend(tokenUnit).meta({ id: 'PolicyWritten' }),
    isVersioned: true,
    errors: ['not_found', 'store_not_ready'],
  },
  policyRevisions: {
    tag: 'Mandates',
    summary: 'Revisions of the policy',
    description: 'Revisions, newest first, with who wrote them.',
    params: AgentId,
    query: PageQuery.extend(fieldsQuery(REVISIONS)),
    list: REVISIONS,
    reply: envelope(z.array(PolicyRevision))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'PolicyRevisions' }),
    errors: ['not_found', 'store_not_ready'],
  },
  ownPolicy: {
    tag: 'Mandates',
    summary: 'Policy of this key',
    description: 'The policy of the agent whose key is sent.',
    reply: z.object({ policy: Policy, ...tokenUnit }).meta({ id: 'OwnPolicy' }),
  },
  releaseReservation: {
    tag: 'Mandates',
    summary: 'Release the reservation of an unsigned transaction',
    description:
      'A built transaction counts against the windows of the policy and reserves the staked tokens that it names. If it will not be signed, release it: then it no longer counts. Refused if the chain shows that it was executed. May be repeated.',
    body: z
      .strictObject({
        intentId: IdInput.meta({ description: '`intentId` of the answer that built it.' }),
      })
      .meta({ id: 'ReleaseRequest' }),
    reply: z
      .object({
        intentId: z.string().meta({ description: '`intentId` of the released transaction.' }),
        released: z.literal(true).meta({ description: 'It no longer counts.' }),
      })
      .meta({ id: 'Released' }),
    errors: ['not_found', 'store_not_ready', 'rpc_unavailable'],
  },
  simulatePolicy: {
    tag: 'Mandates',
    summary: 'Ask whether a transaction would be allowed',
    description:
      'The same check as before a build, without building: all items are one transaction, as with `{{buildBatch}}`. Lists every rule that it breaks.',
    body: z
      .strictObject({
        items: batchItems,
        sender: Sender.meta({ description: 'The address that would sign.' }).optional(),
      })
      .meta({ id: 'PolicySimulationRequest' }),
    reply: z
      .object({
        allowed: z.boolean().meta({ description: 'Whether it would be built now.' }),
        revision: Revision.nullable().meta({ description: 'The newest revision. Null: there is no policy.' }),
        policyHash: PolicyHash.nullable().meta({ description: 'Its hash. Null: there is no policy.' }),
        broken: z.array(BrokenRule).meta({ description: 'Every rule that it breaks.' }),
        needsApproval: z.boolean().meta({
          description: 'Whether the owner must approve it before it is built.',
        }),
        ...tokenUnit,
      })
      .meta({ id: 'PolicySimulation' }),
    errors: ['store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>

import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { IsoTime, MomentInput } from '../fields.ts'
import { IdInput, oneOf } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { ListPage, listQuery, sortedListOf } from '../lists.ts'
import { SCOPES } from '../scopes.ts'
import { AgentId, AgentName, envelope, KeyPrefix, Message, Revoked } from './shapes.ts'

const KeyName = AgentName.meta({
  description: 'What the key is for: 1 to 64 printable characters.',
  examples: ['ci'],
})

const Scope = oneOf(SCOPES).meta({
  description: 'read: data and advice · build: transactions and the sandbox · manage-self: revoking itself.',
})

const NETWORK_FIX =
  'must be a network such as 203.0.113.0/24 or 2001:db8::/48; a prefix of IPv6 has at most 64 bits'

const isNetwork = (text: string): boolean =>
  z.ipv4().safeParse(text).success ||
  z.cidrv4().safeParse(text).success ||
  (z.cidrv6().safeParse(text).success && Number(text.split('/')[1]) <= 64)

const Networks = z
  .array(
    z
      .string({ error: NETWORK_FIX })
      .max(64, { error: NETWORK_FIX })
      .refine(isNetwork, { error: NETWORK_FIX }),
  )
  .max(LIMITS.keyNetworks, { error: `must be at most ${LIMITS.keyNetworks} networks` })
  .meta({
    description:
      'Networks (CIDR, each by its first address) that the key is accepted from. Empty: from everywhere.',
    examples: [['203.0.113.0/24']],
  })

const NamedKey = z
  .object({
    id: z.string().meta({ description: 'Id of the key.', examples: ['key_…'] }),
    name: KeyName,
    keyPrefix: KeyPrefix,
    scopes: z.array(Scope).meta({ description: 'What the key may do.' }),
    allowedNetworks: Networks,
    status: z
      .enum(['active', 'expired', 'revoked'])
      .meta({ description: 'Whether the key works, if its agent does. Keys end with a revoked agent.' }),
    createdAt: IsoTime.meta({ description: 'When it was made.' }),
    expiresAt: IsoTime.nullable().meta({
      description: 'From this moment it is refused. Null: it has no end.',
    }),
    lastUsedAt: IsoTime.nullable().meta({
      description: 'When it was last used, to the minute. Null: never.',
    }),
    revokedAt: IsoTime.nullable().meta({ description: 'When it was revoked. Null: it was not.' }),
  })
  .meta({ id: 'NamedKey', description: 'A key of an agent beside its primary one.' })

const KEYS = sortedListOf('data', NamedKey, {
  id: 'id',
  compact: ['id', 'name', 'scopes', 'status', 'expiresAt', 'lastUsedAt'],
  sort: { createdAt: 'desc', name: 'asc', status: 'asc', expiresAt: 'asc', lastUsedAt: 'desc' },
  sortedBy: 'createdAt',
  steady: ['createdAt', 'expiresAt'],
})

const KeyId = AgentId.extend({
  keyId: IdInput.meta({
    description: 'Id of a key of the agent, or `previous`: its replaced key in the grace period.',
    examples: ['key_…'],
  }),
})

/** The keys of an agent. */
export const keyRows = {
  listKeys: {
    tag: 'Identity',
    summary: 'Named keys of an agent',
    description: `Keys beside the primary one, newest first; the newest ${LIMITS.endedKeysPerAgent} ended ones stay for 30 days. The primary key is in the list of agents.`,
    params: AgentId,
    query: z.object(listQuery(KEYS)),
    list: KEYS,
    reply: envelope(z.array(NamedKey)).extend(ListPage).meta({ id: 'NamedKeyList' }),
    addressBudget: 'agent-revocation',
    errors: ['not_found', 'store_not_ready'],
  },
  createKey: {
    tag: 'Identity',
    summary: 'Add a named key',
    description: `Active at once. It has the tier and the quota of its agent, and only the scopes, networks and time that it is given; rotation replaces the primary key only. At most ${LIMITS.keysPerAgent} named keys of an agent work at a time.`,
    params: AgentId,
    body: z
      .strictObject({
        name: KeyName,
        scopes: z
          .array(Scope, { error: 'must be a list of scopes' })
          .min(1, { error: 'must have at least one scope' })
          .max(SCOPES.length, { error: 'must name each scope once' })
          .refine((scopes) => new Set(scopes).size === scopes.length, { error: 'must name each scope once' })
          .default(['read'])
          .meta({ description: 'What the key may do.' }),
        allowedNetworks: Networks.default([]),
        expiresAt: MomentInput.optional().meta({
          description: 'From this moment the key is refused; in the future. Left out: it has no end.',
        }),
      })
      .meta({ id: 'CreateKeyRequest' }),
    status: 201,
    reply: envelope(
      NamedKey.extend({
        apiKey: z.string().meta({ description: 'Shown this once; it cannot be retrieved later.' }),
        warning: z.string().meta({ description: 'What to do with the key now.' }),
      }),
    ).meta({ id: 'NamedKeyCreated' }),
    isRepeatable: true,
    errors: ['not_found', 'store_not_ready'],
  },
  revokeKey: {
    tag: 'Identity',
    summary: 'Revoke a named key',
    description:
      'It is refused from the commit on; the agent and its other keys continue to work. May be repeated. The id `previous` ends the grace period of a rotation.',
    params: KeyId,
    reply: Revoked,
    addressBudget: 'agent-revocation',
    errors: ['not_found', 'store_not_ready'],
  },
  revokeSelf: {
    tag: 'Identity',
    summary: 'Revoke this key',
    description:
      'The key that is sent ends itself and its agent, for good; no sign-in is needed. A named key, or a replaced one in its grace period, ends alone. The call works also when the limits of the key are used up. If it is refused, report the key as leaked.',
    reply: Revoked,
    addressBudget: 'key-revocation',
    errors: ['store_not_ready'],
  },
  reportLeak: {
    tag: 'Identity',
    summary: 'Report a leaked key',
    description:
      'For anybody who has found a key. If it works, it is revoked at once and its owner gets a mail. The answer is always the same.',
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
    addressBudget: 'key-revocation',
    errors: ['store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>

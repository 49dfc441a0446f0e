import { z } from 'zod'
import { IsoTime, RateLimits, TierName } from '../fields.ts'
import { IdInput, oneOf } from '../inputs.ts'
import { hasSecret } from '../texts/secret-shapes.ts'

/** Values that several endpoints of agents and users share. */

export const envelope = <T extends z.ZodType>(data: T) =>
  z.object({
    success: z.literal(true).meta({ description: 'Envelope flag of management answers.' }),
    data: data.meta()?.id ? data : data.meta({ description: 'The answer itself.' }),
  })

export const AgentName = z
  .string({ error: 'must be 1 to 64 printable characters' })
  // Not a pattern, because few JSON Schema validators know Unicode classes. Both this and `maxLength` count
  // characters, not code units.
  .refine((text) => /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(text), {
    error: 'must be 1 to 64 printable characters',
    abort: true,
  })
  .refine((text) => text.trim() === text, { error: 'must not start or end with a space' })
  .refine((text) => !hasSecret(text), { error: 'must not be a key or token: everybody sees a name' })
  .meta({
    description: '1 to 64 printable characters.',
    minLength: 1,
    maxLength: 64,
    examples: ['yield-scout'],
  })

export const AgentType = oneOf(['autonomous', 'assistant', 'bot', 'service', 'other']).meta({
  description: 'What kind of program the agent is.',
})

export const AGENT_STATES = ['pending_verification', 'active', 'revoked', 'expired', 'suspended'] as const

export const AgentStatus = z
  .enum(AGENT_STATES)
  .meta({ description: 'expired: the verification link was not used in time · suspended: by an admin.' })

export const IdentityTier = z
  .enum(['unverified', 'email_verified', 'wallet_verified', 'user_linked', 'admin_verified'])
  .meta({ description: 'How much is known about who stands behind the agent.' })

export const Permissions = z.array(z.enum(['read'])).meta({
  description:
    'Always read, and nothing about scopes: keys read and build (a named key within its `scopes`), and never sign.',
})

export const AgentIdText = z.string().meta({ description: 'Id of the agent.' })

export const KeyPrefix = z.string().meta({
  description: 'The first 12 characters of the key, to recognise it by.',
  examples: ['stk_4fQz8KbW'],
})

/** Names the replaced key of an agent where the id of a key is asked for. */
export const PREVIOUS_KEY_ID = 'previous'

export const PreviousKey = z
  .object({
    id: z.literal(PREVIOUS_KEY_ID).meta({ description: 'Revoke the key with this id to end it at once.' }),
    keyPrefix: KeyPrefix,
    expiresAt: IsoTime.meta({ description: 'From this moment it is refused.' }),
  })
  .nullable()
  .meta({ description: 'The key that was replaced, while it still works. Null: only the present one works.' })

export const Message = z.object({ message: z.string().meta({ description: 'What happens next.' }) })

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

export const AgentId = z.object({
  id: IdInput.meta({ description: 'Id of one of your agents.', examples: ['agt_…'] }),
})

export const Revoked = envelope(
  z.object({
    id: z.string().meta({ description: 'Id of what was revoked: the agent, or its named key.' }),
    status: z.literal('revoked').meta({ description: 'The key is refused for good.' }),
    revokedAt: IsoTime.meta({ description: 'When it was revoked.' }),
  }),
).meta({ id: 'Revoked' })

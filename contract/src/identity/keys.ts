import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { envelope, Message, Revoked } from './shapes.ts'

/** The keys of an agent. */
export const keyRows = {
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
} as const satisfies Record<string, EndpointSpec>

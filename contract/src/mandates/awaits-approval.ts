import { z } from 'zod'
import { IsoTime } from '../fields.ts'
import { IdInput } from '../inputs.ts'
import { ROUTES } from '../routes.ts'

/** The approval that a build uses up. */
export const approvalIdInput = IdInput.optional().meta({
  description: 'The owner’s approval of this transaction, which the build uses up.',
})

/** The reply with 202 to a build that the owner of the agent must approve first. */
export const AwaitsApproval = z
  .object({
    approvalId: z.string().meta({
      description:
        'Nothing was built. Repeat the same request with this id: it is built once the owner has approved.',
      examples: ['apr_…'],
    }),
    expiresAt: IsoTime.meta({ description: 'From this moment on the approval cannot be used any more.' }),
    message: z.string().meta({
      description: 'Why the owner is asked.',
      examples: [
        'Nothing was built yet: this moves 10000000000 smallest units; the owner of the agent must approve transactions above 5000000000.',
      ],
    }),
    fix: z.string().meta({
      description: 'What to do: who must approve, where, until when, and how to continue.',
      examples: [
        'Ask the owner of the agent to approve it at …/approve/agt_…/apr_… before 2026-01-02T00:00:00.000Z. After that send the same request with `approvalId`: it is `next`.',
      ],
    }),
    next: z
      .object({
        method: z.literal('POST').meta({ description: 'HTTP method.' }),
        path: z.string().meta({ description: 'The same path again.', examples: [ROUTES.buildStake.path] }),
        body: z
          .record(z.string(), z.unknown())
          .meta({ description: 'The same body, with `approvalId`.', examples: [{ approvalId: 'apr_…' }] }),
      })
      .meta({ description: 'The call to repeat once the owner has approved.' }),
  })
  .meta({ id: 'AwaitsApproval', description: 'The owner of the agent must approve this first.' })

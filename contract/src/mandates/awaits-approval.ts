import { z } from 'zod'
import { IsoTime } from '../fields.ts'

/** What an approval is known by. */
export const ApprovalIdText = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(128, { error: 'must be at most 128 characters' })

/** With a build: the approval that it uses up. */
export const approvalIdInput = ApprovalIdText.optional().meta({
  description: 'The owner’s approval of exactly this, which it uses up.',
})

/** What a build is answered with 202, when the owner of the agent must approve of it first. */
export const AwaitsApproval = z
  .object({
    approvalId: z.string().meta({
      description:
        'Nothing was built. Repeat the same request with this id: it is built once the owner has approved.',
      examples: ['apr_…'],
    }),
    expiresAt: IsoTime.meta({ description: 'From this moment on the approval cannot be used any more.' }),
  })
  .meta({ id: 'AwaitsApproval', description: 'The owner of the agent must approve of this first.' })

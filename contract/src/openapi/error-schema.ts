import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { LIMITS } from '../limits.ts'

export const CODES = Object.keys(ERRORS) as ErrorCode[]

const text = (description: string) => z.string().meta({ description })

/** The body of every error. */
export const ErrorSchema = z
  .object({
    error: z.enum(CODES).meta({ description: 'The code; the set is closed.' }),
    message: text('What was wrong and what to do next.'),
    status: z.int().meta({ description: 'The HTTP status.' }),
    requestId: text('Also in `X-Request-Id`: state it when you report a problem.'),
    details: z
      .array(
        z.object({
          field: text('Path of the field, such as `positions[0].principal`.'),
          message: text('What is wrong with it.'),
          rule: text('The rule of the policy that refuses.').optional(),
          limit: text('What the rule allows.').optional(),
          actual: text('What was asked for.').optional(),
          clearsAt: z.string().nullable().optional().meta({
            description: 'When the same request would comply with the rule; null: waiting does not help.',
          }),
        }),
      )
      .optional()
      .meta({ description: 'Each wrong field, or each broken rule of a policy.' }),
    retryAfterSeconds: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many seconds to wait. Also in `Retry-After`.' }),
    fix: text('What to do about it.'),
    next: z
      .object({
        method: text('HTTP method.'),
        path: text('Path, with its query where one is known.'),
        body: z
          .record(z.string(), z.unknown())
          .optional()
          .meta({ description: 'What is known of its body: fields that you sent, or a free name.' }),
        needs: z
          .array(z.string())
          .optional()
          .meta({ description: 'The fields that you must add, in the body or the query.' }),
        needsOneOf: z
          .array(z.string())
          .optional()
          .meta({ description: 'Fields of which you must add exactly one.' }),
      })
      .optional()
      .meta({ description: 'The call to make next, if there is one.' }),
    retryable: z.boolean().meta({
      description:
        'Whether the same request may be sent again and may succeed then: it had no effect, or a repeat is safe. False with 503 or 504: it is not known whether it was done, and `fix` says how to find out.',
    }),
  })
  .meta({
    id: 'Error',
    description: `The body of every error. Requests are limited to ${LIMITS.bodyBytes} bytes and ${LIMITS.requestMs / 1000} seconds.`,
  })

import { z } from 'zod'
import type { EndpointSpec } from './endpoint.ts'

/** The idempotency key of a request, in any transport. */
export const IdempotencyKey = z
  .string()
  .regex(/^[!-~]{1,64}$/, { error: 'must be 1 to 64 visible ASCII characters' })
  .meta({
    description:
      'Names the request: a repeat within 24 hours gets the same answer and has no effect. With other input it is refused.',
  })

const HEADERS = {
  conditional: {
    'If-None-Match': z.string().optional().meta({
      description:
        'The `ETag` of the answer you have. 304: that answer is still correct, except that `dataAgeSeconds` may be up to a minute more.',
    }),
  },
  isRepeatable: {
    'Idempotency-Key': IdempotencyKey.optional().meta({
      description: `${IdempotencyKey.description} A repeat has \`Idempotent-Replayed: true\`; an API key is shown in the first answer only.`,
    }),
  },
  isVersioned: {
    'If-Match': z.string().max(64).optional().meta({
      description:
        'The `ETag` of the version to replace, required if there is one and `revision` does not name it. 412: the present version is another one.',
    }),
  },
} as const

/** The headers that only this endpoint takes; undefined: none. */
export function requestHeaders(row: EndpointSpec): z.ZodObject | undefined {
  const flags = ['conditional', 'isRepeatable', 'isVersioned'] as const
  const taken = flags.filter((flag) => row[flag])
  return taken.length === 0 ? undefined : z.object(Object.assign({}, ...taken.map((flag) => HEADERS[flag])))
}

import { z } from 'zod'

/** The user who wrote a policy or decided an approval, as far as the caller may see it. */
export const DecidingUser = z.object({
  id: z.string().nullable().meta({
    description:
      'Id of the user. Null where it is not yours to see: admins see every id, users their own, keys none.',
  }),
  role: z.enum(['user', 'admin']).meta({ description: 'In which role.' }),
})

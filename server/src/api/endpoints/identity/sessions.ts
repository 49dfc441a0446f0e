import type { endSession, listSessions } from '#domain/users/sessions.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'
import { arrangeReply } from '../../lists/arrange-list.ts'

type Needs = {
  readonly listSessions: ReturnType<typeof listSessions>
  readonly endSession: ReturnType<typeof endSession>
}

/** The sign-ins of a user. */
export function sessionEndpoints({ listSessions, endSession }: Needs) {
  return {
    listSessions: {
      handle: async (request, { caller: { user } }) => {
        const data = (await listSessions(user)).map(
          ({ id, issuedBy, truncatedAddress, createdAt, expiresAt }) => ({
            id,
            isCurrent: id === user.session?.id,
            issuedBy,
            ip: truncatedAddress,
            createdAt: toIso(createdAt),
            expiresAt: toIso(expiresAt),
          }),
        )
        return { answer: arrangeReply({ success: true, data }, 'listSessions', request, user.id) }
      },
    },
    endSession: {
      handle: async ({ id }, { caller: { user }, client, via }) => {
        await endSession(user, id, { client, via })
        return { reply: { success: true, data: { id, status: 'ended' } } }
      },
    },
  } satisfies Endpoints
}

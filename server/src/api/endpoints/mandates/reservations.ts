import { cancelReservation, listReservations } from '#domain/policy/reservations/manage-reservations.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { TokenUnit } from '../../../networks.ts'
import type { Endpoints } from '../../endpoint.ts'
import { storeCursor } from '../../lists/store-cursor.ts'
import { managerOf } from '../identity/managed-call.ts'

/** The reservations in the windows of an agent's policy, for users that manage it. */
export function reservationEndpoints(needs: Parameters<typeof cancelReservation>[0], token: TokenUnit) {
  const list = listReservations(needs)
  const cancel = cancelReservation(needs)
  return {
    listReservations: {
      handle: async (input, { caller }) => {
        const cursor = storeCursor('listReservations', input)
        const page = { cursor: cursor.place, limit: input.limit }
        const { reservations, next } = await list(caller, input.id, page)
        const data = reservations.map((reservation) => ({
          reservationId: reservation.id,
          intentId: reservation.intentId,
          state: reservation.state,
          builtAt: toIso(reservation.at),
          expiresAt: toIso(reservation.expiresAt),
          epoch: reservation.epoch,
          sender: reservation.sender ?? null,
          items: reservation.items.map(({ action, validatorId, amount }) => ({
            action,
            validatorId,
            amount: String(amount),
          })),
        }))
        return { reply: { success: true, data, nextCursor: cursor.at(next), ...token } }
      },
    },
    cancelReservation: {
      handle: async ({ id, reservationId }, call) => {
        call.note({ agentId: id })
        await cancel(managerOf(call), id, reservationId, call.signal())
        return { reply: { success: true, data: { reservationId, status: 'released' } } }
      },
    },
  } satisfies Endpoints
}

import { act } from '../account/act.ts'
import { OWN_REFRESH_MS } from '../account/own-refresh.ts'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { toPage } from '../lists/read-pages.ts'
import type { Reservation } from './windows.ts'

/** Built transactions that count against the policy, newest first. `undefined` asks nothing. */
export const useReservations = (id: string | undefined): PagedList<Reservation> =>
  usePagedList(
    id === undefined
      ? undefined
      : {
          key: `user/reservations/${id}`,
          read: (client, cursor) => client.listReservations({ id, ...cursor }).then(toPage),
          everyMs: OWN_REFRESH_MS,
        },
  )

export const releaseReservation = (id: string, reservationId: string): Promise<void> =>
  act((client) => client.cancelReservation({ id, reservationId }))

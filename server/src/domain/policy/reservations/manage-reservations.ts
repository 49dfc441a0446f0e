import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { ManagedReservations, Reservation, Reservations } from '#ports/stores/reservations.ts'
import { call, refusal } from '../../../fault.ts'
import { badCursor } from '../../agents/list-agents.ts'
import { agentNotFound, scopeOf } from '../../agents/management-rights.ts'
import { type Manager, recordBy } from '../../agents/manager.ts'
import { isCarriedOut, neverSigned } from './release-reservation.ts'

type Needs = {
  readonly managed: ManagedReservations
  readonly reservations: Reservations
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
  readonly clock: Clock
}

type ReservationNow = Reservation & { readonly state: 'open' | 'expired' | 'carriedOut' }

const asOf = (reservation: Reservation, now: number): ReservationNow => ({
  ...reservation,
  state: reservation.isSeen ? 'carriedOut' : now < reservation.expiresAt ? 'open' : 'expired',
})

export function listReservations({ managed, clock }: Pick<Needs, 'managed' | 'clock'>) {
  return async (
    { user }: Pick<Manager, 'user'>,
    agentId: string,
    { cursor: after, limit }: { readonly cursor: string | undefined; readonly limit: number },
  ): Promise<{ readonly reservations: readonly ReservationNow[]; readonly next: string | null }> => {
    const scope = scopeOf(user)
    if (!scope) throw agentNotFound()
    const page = await managed.list(scope, agentId, { after, limit })
    if (page.kind === 'no_agent') throw agentNotFound()
    if (page.kind !== 'listed') throw badCursor()
    const found = page.reservations.map((reservation) => asOf(reservation, clock.now()))
    return { reservations: found, next: page.isLast ? null : (found.at(-1)?.id ?? null) }
  }
}

/** Releases a reservation because the owner says that the transaction will not be signed. Idempotent. */
export function cancelReservation({ managed, reservations, chain, clock }: Needs) {
  const wasNeverSigned = neverSigned({ reservations, chain, clock })
  return async (manager: Manager, agentId: string, id: string, deadline: AbortSignal): Promise<void> => {
    const scope = scopeOf(manager.user)
    if (!scope) throw agentNotFound()
    const found = await managed.read(scope, agentId, id)
    if (found.kind === 'no_agent') throw agentNotFound()
    if (found.kind !== 'found') throw notFound()
    if (found.isReleased) return
    const { agentNo, reservation } = found
    const { sender, intentId } = reservation
    // `managed` returns the stored expiry; `reservations` the one that follows the chain (`followChain`).
    const [one = reservation] = (await reservations.ofIntent(agentNo, intentId)).filter(
      (each) => each.id === id,
    )
    // Without a sender the chain cannot be checked, so the owner's word counts.
    if (sender === undefined || (await wasNeverSigned(agentNo, { ...one, sender }, deadline))) {
      const record = recordBy(manager, { actions: ['release-reservation'], at: clock.now() })
      if (await managed.release(scope, agentId, id, record)) return
    }
    // Another request may have released it in the meantime.
    const later = await managed.read(scope, agentId, id)
    if (later.kind !== 'found' || !later.isReleased) throw isCarriedOut('reservationId')
  }
}

const notFound = () =>
  refusal(
    'not_found',
    'The agent has no reservation with this id.',
    `${call('listReservations')} lists those it has.`,
    { next: { endpoint: 'listReservations' } },
  )

import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { Reservation, Reservations, ReservedItem } from '#ports/stores/reservations.ts'
import { MINUTE_MS } from '../../../durations.ts'
import { Fault, wrongField } from '../../../fault.ts'
import type { HeldAgent } from '../cases/open-case.ts'
import { SETTLING_MS } from '../unseen-builds.ts'
import { findUnused } from './mark-executed.ts'

type Needs = {
  readonly reservations: Reservations
  readonly chain: Pick<StakingChain, 'stakedTokensOf'>
  readonly clock: Clock
}

/** Releases the reservations of a transaction that will not be signed. Idempotent. */
export function releaseReservation({ reservations, chain, clock }: Needs) {
  const wasNeverSigned = neverSigned({ reservations, chain, clock })
  return async ({ no }: HeldAgent, intentId: string, deadline: AbortSignal): Promise<void> => {
    const found = await reservations.ofIntent(no, intentId)
    if (found.length === 0) throw notFound()
    for (const { isReleased, ...one } of found) {
      if (isReleased) continue
      if (one.sender === undefined) throw unknownSender()
      if (await wasNeverSigned(no, { ...one, sender: one.sender }, deadline))
        await reservations.release(no, [one.id])
    }
    // Another request may have seen it on the chain in the meantime, or have released it.
    const later = await reservations.ofIntent(no, intentId)
    if (!later.every(({ isReleased }) => isReleased)) throw isCarriedOut('intentId')
  }
}

/** Whether the chain shows no effect of this transaction. */
export function neverSigned({ reservations, chain, clock }: Needs) {
  const unusedOf = findUnused({ reservations, chain })
  return async (
    agentNo: number,
    one: Reservation & { readonly sender: string },
    deadline: AbortSignal,
  ): Promise<boolean> => {
    const [unused] = await unusedOf(agentNo, one.sender, [one], deadline)
    if (unused && unused.certainAt <= clock.now()) return true
    // Of two equal transactions the chain does not show which was executed. Once neither can be executed any more,
    // the other one may be released.
    const isOver = ({ expiresAt }: Reservation) => expiresAt + SETTLING_MS <= clock.now()
    const unseen = isOver(one) ? await reservations.unseen(one.sender) : []
    const other = unseen.find((each) => each.agentNo === agentNo && isOver(each) && isAlike(one, each))
    return other !== undefined && reservations.moveSighting(agentNo, one.id, other.id)
  }
}

/** Whether the other has the same effects and was still pending when this one was built. */
const isAlike = (one: Reservation, other: Reservation): boolean =>
  other.id !== one.id &&
  other.at <= one.at &&
  other.expiresAt + SETTLING_MS > one.at &&
  other.items.length === one.items.length &&
  one.items.every((item, at) => effectOf(item) === effectOf(other.items[at]))

const effectOf = (item: ReservedItem | undefined): string =>
  JSON.stringify([item?.action, item?.validatorId, String(item?.amount), item?.token?.id, item?.joinedIds])

const notFound = () => {
  const fix =
    'Take `intentId` of the answer that built it. Without a rule about amounts in its policy, nothing is reserved and there is nothing to release.'
  return new Fault(
    'not_found',
    `This agent has no transaction with this id that counts against a window. ${fix}`,
    { fix },
  )
}

/** The refusal to release a transaction that the chain shows, or may show, as executed. */
export const isCarriedOut = (field: 'intentId' | 'reservationId'): Fault =>
  wrongField(
    field,
    'names a transaction that the chain shows as executed, or a stake that may be from it, so it still counts',
    {
      fix: `Do nothing: it counts until its window ends. If another transaction just like it was executed instead, ask again ${SETTLING_MS / MINUTE_MS} minutes after the epoch in \`intent.expiresEpoch\` has ended.`,
    },
  )

const unknownSender = (): Fault =>
  wrongField(
    'intentId',
    'names a transaction that was built without `sender`, so nobody can tell whether it was executed',
    {
      fix: 'Its owner can release it; otherwise it counts to the end of its window. Send `sender` with builds that you may want to release.',
    },
  )

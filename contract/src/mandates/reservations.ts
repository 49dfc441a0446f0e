import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { Amount, IsoTime, NextCursor, PageQuery, tokenUnit } from '../fields.ts'
import { AgentId, envelope } from '../identity/shapes.ts'
import { IdInput } from '../inputs.ts'
import { fieldsQuery, listOf } from '../lists.ts'
import { ACTIONS } from './rule-values.ts'

const Reservation = z
  .object({
    reservationId: z.string().meta({ description: 'Id of the reservation.', examples: ['rsv_…'] }),
    intentId: z.string().meta({ description: '`intentId` of the transaction that was built.' }),
    state: z.enum(['open', 'expired', 'carriedOut']).meta({
      description:
        'open: it may still be signed · expired: it must not be signed any more, and the chain has not shown it · carriedOut: the chain shows that it was executed, so it counts to the end of its windows.',
    }),
    builtAt: IsoTime.meta({ description: 'When it was built: from here on it counts.' }),
    expiresAt: IsoTime.meta({ description: 'It must not be signed after this time.' }),
    epoch: z.int().min(0).meta({ description: 'The epoch it was built in.' }),
    sender: z.string().nullable().meta({ description: 'Address that signs. Null: unknown.' }),
    items: z
      .array(
        z.object({
          action: z.enum(ACTIONS).meta({ description: 'What it does.' }),
          validatorId: z.string().meta({ description: 'The validator that receives the stake, or has it.' }),
          amount: Amount.meta({
            description: 'Stake or principal that it moves; of a join, the principal of the tokens that end.',
          }),
        }),
      )
      .meta({ description: 'What the transaction does, in order.' }),
  })
  .meta({ id: 'Reservation', description: 'A built transaction that counts against the policy.' })

const RESERVATIONS = listOf('data', Reservation, ['reservationId', 'state', 'expiresAt', 'items'])

/** Built transactions that count against the windows of an agent's policy, for its owner. */
export const reservationRows = {
  listReservations: {
    tag: 'Mandates',
    summary: 'Built transactions that count against the policy',
    description:
      'Newest first, without the released ones. Without a rule about amounts in the policy nothing is reserved.',
    params: AgentId,
    query: PageQuery.extend(fieldsQuery(RESERVATIONS)),
    list: RESERVATIONS,
    reply: envelope(z.array(Reservation))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'Reservations' }),
    errors: ['not_found', 'store_not_ready'],
  },
  cancelReservation: {
    tag: 'Mandates',
    summary: 'Release a reservation of the agent',
    description:
      'For the owner, where the agent has not done it: the transaction must not be signed any more, and no longer counts. Refused if the chain shows that it was executed. May be repeated.',
    params: AgentId.extend({ reservationId: IdInput.meta({ description: 'Id of the reservation.' }) }),
    reply: envelope(
      z.object({
        reservationId: z.string().meta({ description: 'Id of the released reservation.' }),
        status: z.literal('released').meta({ description: 'It no longer counts.' }),
      }),
    ).meta({ id: 'ReservationCancelled' }),
    errors: ['not_found', 'store_not_ready', 'rpc_unavailable'],
  },
} as const satisfies Record<string, EndpointSpec>

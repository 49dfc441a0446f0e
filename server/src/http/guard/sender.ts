import type { AddressBudget } from '@stakewright/contract'
import type { RequestHead } from './request-head.ts'

/** The sender of a request, as far as the limits before authentication need it. */
export type Sender = {
  readonly client: string
  /** The budget of the address that the request counts for; undefined: the ordinary one. */
  readonly budget?: AddressBudget | undefined
  /** Undefined for bytes that could not be parsed as a request. */
  readonly head?: RequestHead
}

/** The key of a sender's counter: the budgets of an address are counted apart. */
export const counterOf = ({ client, budget }: Sender): string =>
  budget === undefined ? client : `${client} ${budget}`

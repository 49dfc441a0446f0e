/** The largest amount that a chain counts. */
export const U64_MAX = 2n ** 64n - 1n

/** The value of a place: an input, the gas coin, or a result of a command. */
export type Value =
  /** A coin of the sender from which parts are split off; the rest stays with the sender. */
  | {
      readonly is: 'purse'
      /** Created by this transaction, so the rest must be returned before its end. */
      readonly mustReturn: boolean
      readonly isGas: boolean
      isSplit: boolean
    }
  /** A part of a purse with a known amount: it can only be staked. */
  | { readonly is: 'coin'; readonly amount: bigint }
  /** A staked token of the sender that existed before the transaction, or a part split off it. */
  | {
      readonly is: 'token'
      readonly id: string
      readonly part: bigint | undefined
      isRequested: boolean
      isUsed: boolean
      /** Other tokens were joined to it; nothing else may be done with it. */
      isJoined: boolean
    }
  /** New and valuable: it must be transferred to the sender. */
  | { readonly is: 'staked' | 'paid' }

export type Place = {
  /** Undefined: an input object whose role is not known yet. */
  value: Value | undefined
  isGone: boolean
  /** Its name in a refusal. */
  readonly name: string
}

export const place = (name: string, value: Value | undefined): Place => ({ name, value, isGone: false })

/** What a place of a transaction holds: an input, the gas coin, or a result of a command. */
export type Value =
  /** A coin of the sender with more in it than is used: parts are split off, and the rest stays the sender's. */
  | {
      readonly is: 'purse'
      /** Made by this transaction, so what is left must be given back before its end. */
      readonly mustReturn: boolean
      readonly isGas: boolean
      isSplit: boolean
    }
  /** A part of a purse with a known amount: it can only be staked. */
  | { readonly is: 'coin'; readonly amount: bigint }
  /** A staked token of the sender that was there before, or a part split off it. */
  | {
      readonly is: 'token'
      readonly id: string
      readonly part: bigint | undefined
      isRequested: boolean
      isUsed: boolean
      /** It took others in, and does nothing else. */
      isJoined: boolean
    }
  /** New, and worth something: it must go to the sender. */
  | { readonly is: 'staked' | 'paid' }

export type Place = {
  /** Undefined: an input object whose role nothing has shown yet. */
  value: Value | undefined
  isGone: boolean
  /** What to call it in a refusal. */
  readonly name: string
}

export const place = (name: string, value: Value | undefined): Place => ({ name, value, isGone: false })

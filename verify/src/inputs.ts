import { fromBase64, normalizeSuiAddress, toHex } from '@mysten/sui/utils'
import { isSameType } from './coin-type.ts'
import type { Argument, Input } from './decode.ts'
import type { NetworkPins } from './networks.ts'
import { Refusal } from './refusal.ts'

/** The inputs of a transaction, each parsed by the type its command expects. Unused inputs are refused at the end. */
export function openInputs(inputs: readonly Input[], pins: NetworkPins) {
  const used = new Set<number>()

  const take = (argument: Argument, what: string): Input => {
    const input = argument.$kind === 'Input' ? inputs[argument.Input] : undefined
    if (argument.$kind !== 'Input' || input === undefined) throw new Refusal('inputs', what, nameOf(argument))
    used.add(argument.Input)
    return input
  }

  const pure = (argument: Argument, length: number, what: string): Uint8Array => {
    const input = take(argument, what)
    const bytes = input.Pure ? fromBase64(input.Pure.bytes) : undefined
    if (bytes?.length !== length) throw new Refusal('inputs', `${what} in ${length} bytes`, input.$kind)
    return bytes
  }

  return {
    u64(argument: Argument, what: string): bigint {
      const value = BigInt(`0x${toHex(pure(argument, 8, what).toReversed())}`)
      if (value === 0n) throw new Refusal('inputs', `${what} above 0`, '0')
      return value
    },

    id: (argument: Argument, what: string): string => normalizeSuiAddress(toHex(pure(argument, 32, what))),

    /** The shared system object of the network. */
    system(argument: Argument): void {
      const expected = `the system object ${pins.system.objectId}, mutable`
      const input = take(argument, expected)
      const shared = input.Object?.SharedObject
      const id = shared?.objectId ?? input.UnresolvedObject?.objectId
      const { initialSharedVersion = shared?.initialSharedVersion } = pins.system
      const isRight =
        id !== undefined &&
        normalizeSuiAddress(id) === normalizeSuiAddress(pins.system.objectId) &&
        (shared === undefined ||
          (shared.mutable && String(shared.initialSharedVersion) === String(initialSharedVersion)))
      if (!isRight)
        throw new Refusal(
          'inputs',
          expected,
          JSON.stringify(input.Object ?? input.UnresolvedObject ?? input.$kind),
        )
    },

    /** A withdrawal from the sender's balance of the network's coin, with its upper limit. */
    withdrawal(argument: Argument): void {
      const expected = 'a withdrawal of the network’s coin from the sender, used once'
      const isFirst = argument.$kind === 'Input' && !used.has(argument.Input)
      const { FundsWithdrawal: funds } = take(argument, expected)
      const isRight =
        isFirst &&
        funds?.withdrawFrom.Sender === true &&
        isSameType(funds.typeArg.Balance, pins.coinType) &&
        BigInt(funds.reservation.MaxAmountU64) > 0n
      if (!isRight) throw new Refusal('inputs', expected, JSON.stringify(funds ?? 'another input'))
    },

    /** An owned object of the sender, with its input index. */
    owned(argument: Argument, what: string): { readonly index: number; readonly id: string } {
      const input = take(argument, what)
      const id = input.Object?.ImmOrOwnedObject?.objectId ?? input.UnresolvedObject?.objectId
      if (id === undefined || argument.$kind !== 'Input')
        throw new Refusal('inputs', `${what} of the sender`, input.$kind)
      return { index: argument.Input, id: normalizeSuiAddress(id) }
    },

    refuseUnused(): void {
      const unused = inputs.findIndex((_, index) => !used.has(index))
      if (unused >= 0) throw new Refusal('inputs', 'no input that no command uses', `input ${unused}`)
    },
  }
}

export type Inputs = ReturnType<typeof openInputs>

export const nameOf = (argument: Argument): string => JSON.stringify({ ...argument, $kind: undefined })

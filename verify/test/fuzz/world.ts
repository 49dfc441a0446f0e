import type { bcs } from '@mysten/sui/bcs'
import type { NetworkPins } from '../../src/index.ts'

/** The state of the model chain. */

export type Thing =
  | { readonly is: 'coin'; readonly type: string; balance: bigint }
  | {
      readonly is: 'token'
      readonly id: string
      readonly validator: string
      principal: bigint
      isRequested: boolean
    }

/** A place that a command can take from; empty once it was taken. */
export type Cell = { thing: Thing | undefined; owner: string | undefined }

export type World = {
  readonly pins: NetworkPins
  readonly sender: string
  readonly inputs: readonly Input[]
  /** By owner and type. */
  readonly balances: Map<string, bigint>
  readonly owned: Cell[]
  newId(): string
  pure(argument: Argument, length: number): Uint8Array
  cell(argument: Argument): Cell
}

export type Data = ReturnType<typeof bcs.TransactionData.parse>['V1']
export type Programmable = NonNullable<Data['kind']['ProgrammableTransaction']>
export type Input = Programmable['inputs'][number]
export type Argument = ReturnType<typeof bcs.Argument.parse>

/** The chain aborts the transaction: nothing changes. */
export class Abort extends Error {}
/** The transaction does something that the model does not cover. */
export class Unknown extends Error {}

export function coinIn({ thing }: Cell): Extract<Thing, { is: 'coin' }> {
  if (thing?.is !== 'coin') throw new Abort('no coin')
  return thing
}

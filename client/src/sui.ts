import {
  Transaction,
  type TransactionArgument,
  type TransactionObjectArgument,
} from '@mysten/sui/transactions'

/** An argument of a command, as the transaction endpoints answer it. */
export type CommandArgument =
  | {
      readonly kind: 'sharedObject'
      readonly objectId: string
      readonly initialSharedVersion: string
      readonly mutable: boolean
    }
  /** Without version and digest, building looks them up. */
  | {
      readonly kind: 'ownedObject'
      readonly objectId: string
      readonly version?: string
      readonly digest?: string
    }
  | { readonly kind: 'pure'; readonly type: 'u64' | 'id' | 'address'; readonly value: string }
  | { readonly kind: 'result'; readonly of: string }

export type Command =
  | { readonly kind: 'coin'; readonly id: string; readonly coinType: string; readonly amount: string }
  | {
      readonly kind: 'moveCall'
      readonly id: string
      readonly target: string
      readonly typeArguments: readonly string[]
      readonly arguments: readonly CommandArgument[]
    }
  | { readonly kind: 'transferToSender'; readonly objects: readonly CommandArgument[] }

type Results = Map<string, TransactionObjectArgument>

/**
 * Turns the answer of a transaction endpoint into a transaction of the Sui SDK, ready to be signed.
 *
 * @example
 * const answer = await client.buildStake({ validatorId, amount })
 * const transaction = toTransaction(answer, { sender: keypair.toSuiAddress() })
 * await sui.signAndExecuteTransaction({ transaction, signer: keypair })
 */
export function toTransaction(
  answer: { readonly commands: readonly Command[] },
  { sender }: { readonly sender: string },
): Transaction {
  const transaction = new Transaction()
  transaction.setSender(sender)
  const results: Results = new Map()
  for (const command of answer.commands) addCommand(transaction, command, results, sender)
  return transaction
}

function addCommand(transaction: Transaction, command: Command, results: Results, sender: string): void {
  switch (command.kind) {
    case 'coin':
      results.set(command.id, transaction.coin({ type: command.coinType, balance: BigInt(command.amount) }))
      return
    case 'moveCall':
      results.set(
        command.id,
        transaction.moveCall({
          target: command.target,
          typeArguments: [...command.typeArguments],
          arguments: command.arguments.map((argument) => toArgument(transaction, argument, results)),
        }),
      )
      return
    case 'transferToSender':
      transaction.transferObjects(
        command.objects.map((object) => toObject(transaction, object, results)),
        sender,
      )
      return
    default:
      throw new TypeError(`This client does not know the command ${JSON.stringify(command)}: update it.`)
  }
}

function toArgument(
  transaction: Transaction,
  argument: CommandArgument,
  results: Results,
): TransactionArgument {
  return argument.kind === 'pure'
    ? transaction.pure(argument.type, argument.value)
    : toObject(transaction, argument, results)
}

function toObject(
  transaction: Transaction,
  argument: CommandArgument,
  results: Results,
): TransactionObjectArgument {
  switch (argument.kind) {
    case 'sharedObject': {
      const { objectId, initialSharedVersion, mutable } = argument
      return transaction.sharedObjectRef({ objectId, initialSharedVersion, mutable })
    }
    case 'ownedObject': {
      const { objectId, version, digest } = argument
      return version && digest
        ? transaction.objectRef({ objectId, version, digest })
        : transaction.object(objectId)
    }
    case 'result': {
      const result = results.get(argument.of)
      if (result === undefined) throw new TypeError(`No command before has the result ${argument.of}.`)
      return result
    }
    default:
      throw new TypeError(`This client cannot use ${JSON.stringify(argument)} as an object: update it.`)
  }
}

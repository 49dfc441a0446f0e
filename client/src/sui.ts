import {
  Transaction,
  type TransactionArgument,
  type TransactionObjectArgument,
} from '@mysten/sui/transactions'
import type { Command, CommandArgument } from '@stakewright/contract'

export type { Command, CommandArgument } from '@stakewright/contract'

/** Version and digest of an object that a transaction uses, from a node. */
export type ObjectReference = { readonly version: string; readonly digest: string }

export type ToTransactionOptions = {
  readonly sender: string
  /** By object id, for building offline. The SDK looks up all other objects when it builds. */
  readonly references?: Readonly<Record<string, ObjectReference>>
}

/** The transaction under construction. */
type Draft = ToTransactionOptions & {
  readonly transaction: Transaction
  readonly results: Map<string, TransactionObjectArgument>
}

/**
 * Turns the answer of a transaction endpoint into a transaction of the Sui SDK, ready to be signed.
 *
 * @example
 * const answer = await client.buildStake({ validatorId, amount })
 * const transaction = toTransaction(answer, { sender: keypair.toSuiAddress() })
 * await sui.signAndExecuteTransaction({ transaction, signer: keypair })
 */
export function toTransaction(
  answer: {
    readonly commands: readonly Command[]
    readonly intent?: { readonly expiresEpoch: number | null }
  },
  options: ToTransactionOptions,
): Transaction {
  const transaction = new Transaction()
  transaction.setSender(options.sender)
  const epoch = answer.intent?.expiresEpoch ?? null
  if (epoch !== null) transaction.setExpiration({ Epoch: epoch })
  const draft: Draft = { ...options, transaction, results: new Map() }
  for (const command of answer.commands) addCommand(draft, command)
  return transaction
}

function addCommand(draft: Draft, command: Command): void {
  const { transaction, results, sender } = draft
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
          arguments: command.arguments.map((argument) => toArgument(draft, argument)),
        }),
      )
      return
    case 'transferToSender':
      transaction.transferObjects(
        command.objects.map((object) => toObject(draft, object)),
        sender,
      )
      return
    default:
      throw new TypeError(`This client does not know the command ${JSON.stringify(command)}: update it.`)
  }
}

function toArgument(draft: Draft, argument: CommandArgument): TransactionArgument {
  return argument.kind === 'pure'
    ? draft.transaction.pure(argument.type, argument.value)
    : toObject(draft, argument)
}

function toObject(
  { transaction, results, references }: Draft,
  argument: CommandArgument,
): TransactionObjectArgument {
  switch (argument.kind) {
    case 'sharedObject': {
      const { objectId, initialSharedVersion, mutable } = argument
      return transaction.sharedObjectRef({ objectId, initialSharedVersion, mutable })
    }
    case 'ownedObject': {
      const { objectId } = argument
      const reference = references?.[objectId]
      return reference ? transaction.objectRef({ objectId, ...reference }) : transaction.object(objectId)
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

import { bcs } from '@mysten/sui/bcs'
import { Transaction } from '@mysten/sui/transactions'
import { normalizeStructTag, normalizeSuiAddress, toBase64 } from '@mysten/sui/utils'
import { type Command, type CommandArgument, toTransaction } from '@stakewright/client/sui'
import { idOf } from '../fake-full-node/world.ts'

/** Transactions that the real SDK makes of commands, and the calls that they must contain. */

const DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'

/** The SDK's own JSON, with the coin still to be chosen. */
export async function jsonOf(transaction: Transaction): Promise<unknown> {
  return JSON.parse(await transaction.toJSON({ supportedIntents: ['CoinWithBalance'] }))
}

/** The transaction read back from the bytes to sign, which are built without a node. */
export const builtOffline = async (commands: readonly Command[], sender: string): Promise<Transaction> =>
  Transaction.from(await bytesOf({ commands }, sender))

/** The bytes to sign, built from commands or from a whole answer. */
export async function bytesOf(
  answer: Parameters<typeof toTransaction>[0],
  sender: string,
): Promise<Uint8Array> {
  const transaction = toTransaction(answer, { sender, references: referencesOf(answer.commands) })
  transaction.setGasPrice(1_000)
  transaction.setGasBudget(50_000_000)
  transaction.setGasPayment([{ objectId: idOf(0x6a5), version: '3', digest: DIGEST }])
  return transaction.build({ assumeSufficientAddressBalances: true })
}

function referencesOf(commands: readonly Command[]) {
  const calls = commands.flatMap((command) => (command.kind === 'moveCall' ? command.arguments : []))
  const owned = calls.flatMap((argument) => (argument.kind === 'ownedObject' ? [argument.objectId] : []))
  return Object.fromEntries(owned.map((id) => [id, { version: '7', digest: DIGEST }]))
}

const PURE = {
  u64: (value: string) => bcs.u64().serialize(value).toBytes(),
  id: (value: string) => bcs.Address.serialize(value).toBytes(),
  address: (value: string) => bcs.Address.serialize(value).toBytes(),
}

/** The call that the bytes must contain. Results are not told apart, because the SDK numbers them. */
export function expectedCall(command: Command): readonly object[] {
  if (command.kind !== 'moveCall') return []
  const [packageId = '', ...names] = command.target.split('::')
  const target = [normalizeSuiAddress(packageId), ...names].join('::')
  return [
    { target, typeArguments: [...command.typeArguments], arguments: command.arguments.map(expectedArgument) },
  ]
}

function expectedArgument(argument: CommandArgument): unknown {
  switch (argument.kind) {
    case 'pure':
      return { pure: toBase64(PURE[argument.type](argument.value)) }
    case 'result':
      return 'result'
    case 'sharedObject':
      return {
        shared: normalizeSuiAddress(argument.objectId),
        version: argument.initialSharedVersion,
        mutable: true,
      }
    case 'ownedObject':
      return { owned: argument.objectId }
  }
}

export function callsIn(transaction: Transaction): readonly object[] {
  const { commands, inputs } = transaction.getData()
  return commands.flatMap(({ MoveCall: call }) => {
    // The SDK adds calls of the framework to make the coin; those are not ours.
    if (!call || call.package === normalizeSuiAddress('0x2')) return []
    return [
      {
        target: `${call.package}::${call.module}::${call.function}`,
        typeArguments: call.typeArguments.map(normalizeStructTag),
        arguments: call.arguments.map((argument) =>
          argument.$kind === 'Input' ? decodedInput(inputs[argument.Input]) : 'result',
        ),
      },
    ]
  })
}

function decodedInput(input: ReturnType<Transaction['getData']>['inputs'][number] | undefined): unknown {
  const shared = input?.Object?.SharedObject
  if (shared) {
    const { objectId, initialSharedVersion, mutable } = shared
    return { shared: objectId, version: String(initialSharedVersion), mutable }
  }
  if (input?.Object?.ImmOrOwnedObject) return { owned: input.Object.ImmOrOwnedObject.objectId }
  return { pure: input?.Pure?.bytes }
}

export const transfersIn = (transaction: Transaction): number =>
  transaction.getData().commands.filter((command) => command.TransferObjects).length

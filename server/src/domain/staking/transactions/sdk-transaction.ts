import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'

type Input =
  | { readonly Object: { readonly SharedObject: SharedObject } }
  | { readonly UnresolvedObject: { readonly objectId: string } }
  | { readonly Pure: { readonly bytes: string } }

type SharedObject = {
  readonly objectId: string
  readonly initialSharedVersion: string
  readonly mutable: boolean
}

type Reference = { readonly Input: number } | { readonly Result: number }

/** A transaction in the JSON format of the Sui SDK (version 2), which `Transaction.from(JSON.stringify(…))` reads. */
type SdkTransaction = {
  readonly version: 2
  readonly sender: string
  readonly expiration: { readonly Epoch: number } | null
  readonly gasData: {
    readonly budget: null
    readonly price: null
    readonly owner: null
    readonly payment: null
  }
  readonly inputs: readonly Input[]
  readonly commands: readonly object[]
}

/** SUI is split off the gas coin: a sender with a single SUI coin could not stake and pay gas otherwise. */
const GAS_COIN = '0x2::sui::SUI'

/** Leaves gas and object versions open: they are resolved at signing. */
export function toSdkTransaction(
  commands: readonly Command[],
  sender: string,
  expiresEpoch: number | null = null,
): SdkTransaction {
  const inputs: Input[] = []
  const results = new Map<string, number>()

  const addInput = (input: Input): Reference => {
    const text = JSON.stringify(input)
    const known = inputs.findIndex((one) => JSON.stringify(one) === text)
    return { Input: known === -1 ? inputs.push(input) - 1 : known }
  }
  const refer = (argument: CommandArgument): Reference => {
    if (argument.kind !== 'result') return addInput(toInput(argument))
    const index = results.get(argument.of)
    if (index === undefined) throw new Error(`no command before this one is called ${argument.of}`)
    return { Result: index }
  }
  const written = commands.map((command, index) => {
    const sdk = toSdkCommand(command, refer, () => addInput({ Pure: { bytes: toBase64(idBytes(sender)) } }))
    if (command.kind !== 'transferToSender') results.set(command.id, index)
    return sdk
  })
  return {
    version: 2,
    sender,
    expiration: expiresEpoch === null ? null : { Epoch: expiresEpoch },
    gasData: { budget: null, price: null, owner: null, payment: null },
    inputs,
    commands: written,
  }
}

function toSdkCommand(
  command: Command,
  refer: (argument: CommandArgument) => Reference,
  senderInput: () => Reference,
): object {
  if (command.kind === 'coin') {
    const type = command.coinType === GAS_COIN ? 'gas' : command.coinType
    const data = { type, balance: command.amount, outputKind: 'coin' }
    return { $Intent: { name: 'CoinWithBalance', inputs: {}, data } }
  }
  if (command.kind === 'transferToSender') {
    return { TransferObjects: { objects: command.objects.map(refer), address: senderInput() } }
  }
  const [packageId = '', module, name] = command.target.split('::')
  return {
    MoveCall: {
      package: padId(packageId),
      module,
      function: name,
      typeArguments: command.typeArguments,
      arguments: command.arguments.map(refer),
    },
  }
}

function toInput(argument: Exclude<CommandArgument, { kind: 'result' }>): Input {
  if (argument.kind === 'ownedObject') return { UnresolvedObject: { objectId: padId(argument.objectId) } }
  if (argument.kind === 'pure') {
    const bytes = argument.type === 'u64' ? u64Bytes(BigInt(argument.value)) : idBytes(argument.value)
    return { Pure: { bytes: toBase64(bytes) } }
  }
  const { objectId, initialSharedVersion, mutable } = argument
  return { Object: { SharedObject: { objectId: padId(objectId), initialSharedVersion, mutable } } }
}

/** BCS: little-endian. */
function u64Bytes(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

const padId = (id: string): string => `0x${id.slice(2).padStart(64, '0')}`
const idBytes = (id: string): Uint8Array => Uint8Array.fromHex(padId(id).slice(2))

const toBase64 = (bytes: Uint8Array): string => bytes.toBase64()

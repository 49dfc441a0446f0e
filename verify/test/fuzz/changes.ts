import { bcs } from '@mysten/sui/bcs'
import { fromBase64, toBase64 } from '@mysten/sui/utils'
import { COINS, DIGEST, GAS_COIN, SENDER, TOKENS, VALIDATORS } from '../support/honest.ts'
import type { Random } from './random.ts'
import type { Argument, Data, Programmable } from './world.ts'

/** Mutations of the parts of a transaction. */

type Command = Programmable['commands'][number]
type Change = (data: Data, programmable: Programmable, random: Random) => void

const ATTACKER = `0x${'66'.repeat(32)}`

const argument = (random: Random, { inputs, commands }: Programmable): Argument =>
  random.pick<Argument>([
    { $kind: 'GasCoin', GasCoin: true },
    { $kind: 'Input', Input: random.below(inputs.length + 1) },
    { $kind: 'Result', Result: random.below(commands.length) },
    { $kind: 'NestedResult', NestedResult: [random.below(commands.length), random.below(3)] },
  ])

const u64 = (value: bigint) =>
  toBase64(
    bcs
      .u64()
      .serialize(value & 0xffffffffffffffffn)
      .toBytes(),
  )
const address = (value: string) => toBase64(bcs.Address.serialize(value).toBytes())
const ADDRESSES = [ATTACKER, SENDER, ...VALIDATORS, ...TOKENS, ...COINS, GAS_COIN]

function argumentsIn(command: Command): Argument[][] {
  const { MoveCall, TransferObjects, SplitCoins, MergeCoins } = command
  return [MoveCall?.arguments, TransferObjects?.objects, SplitCoins?.amounts, MergeCoins?.sources].filter(
    (list) => list !== undefined,
  )
}

const hostile = (programmable: Programmable, random: Random): Command => {
  const any = () => argument(random, programmable)
  const attacker: Argument = { $kind: 'Input', Input: programmable.inputs.length }
  programmable.inputs.push({ $kind: 'Pure', Pure: { bytes: address(random.pick([ATTACKER, SENDER])) } })
  return random.pick<Command>([
    {
      $kind: 'TransferObjects',
      TransferObjects: { objects: [any()], address: random.pick([attacker, any()]) },
    },
    { $kind: 'SplitCoins', SplitCoins: { coin: any(), amounts: [any()] } },
    { $kind: 'MergeCoins', MergeCoins: { destination: any(), sources: [any()] } },
    { $kind: 'MakeMoveVec', MakeMoveVec: { type: null, elements: [any()] } },
    { $kind: 'Publish', Publish: { modules: [], dependencies: [] } },
    {
      $kind: 'MoveCall',
      MoveCall: {
        package: random.pick(['0x2', '0x3', ATTACKER]),
        module: random.pick(['coin', 'transfer', 'pay', 'sui_system']),
        function: random.pick([
          'send_funds',
          'public_transfer',
          'join',
          'request_withdraw_stake',
          'redeem_funds',
        ]),
        typeArguments: random.pick([[], ['0x2::sui::SUI']]),
        arguments: [any(), attacker],
      },
    },
  ])
}

export const CHANGES: readonly Change[] = [
  (_, { commands }, random) => void commands.splice(random.below(commands.length), 1),
  (_, { commands }, random) => {
    const copy = structuredClone(random.pick(commands))
    commands.splice(random.below(commands.length + 1), 0, copy)
  },
  (_, { commands }, random) => {
    const [moved] = commands.splice(random.below(commands.length), 1)
    if (moved) commands.splice(random.below(commands.length + 1), 0, moved)
  },
  (_, programmable, random) => {
    const at = random.pick([programmable.commands.length, random.below(programmable.commands.length + 1)])
    programmable.commands.splice(at, 0, hostile(programmable, random))
  },
  (_, programmable, random) => {
    const list = random.pick(argumentsIn(random.pick(programmable.commands)))
    list[random.below(list.length + 1)] = argument(random, programmable)
  },
  (_, { commands }, random) => {
    const list = random.pick(argumentsIn(random.pick(commands)))
    list.splice(random.below(list.length), 1)
  },
  (_, programmable, random) => {
    const { TransferObjects, SplitCoins, MergeCoins } = random.pick(programmable.commands)
    if (TransferObjects) TransferObjects.address = argument(random, programmable)
    if (SplitCoins) SplitCoins.coin = argument(random, programmable)
    if (MergeCoins) MergeCoins.destination = argument(random, programmable)
  },
  (_, { commands }, random) => {
    const { MoveCall } = random.pick(commands.filter((command) => command.MoveCall))
    const other = random.pick(commands.filter((command) => command.MoveCall)).MoveCall
    if (!MoveCall || !other) return
    const change = random.below(4)
    if (change === 0) MoveCall.package = random.pick([ATTACKER, '0x2', '0x3', other.package])
    if (change === 1) MoveCall.module = random.pick([other.module, 'system', 'staking', 'evil'])
    if (change === 2)
      MoveCall.function = random.pick([
        other.function,
        'withdraw_stake',
        'request_add_stake',
        'split',
        'join',
      ])
    if (change === 3) MoveCall.typeArguments = random.pick([['0x2::sui::SUI'], [], other.typeArguments])
  },
  (_, { inputs }, random) => {
    const { Pure } = random.pick(inputs.filter((input) => input.Pure))
    if (!Pure) return
    const bytes = fromBase64(Pure.bytes)
    const number = bytes.length === 8 ? BigInt(bcs.u64().parse(bytes)) : 0n
    const amounts = [number + 1n, number - 1n, number * 2n, number / 2n, 0n, 0xffffffffffffffffn].map(u64)
    Pure.bytes = random.pick([...amounts, ...ADDRESSES.map(address), toBase64(bytes.subarray(1))])
  },
  (_, { inputs }, random) => {
    const shared = random.pick(inputs.filter((input) => input.Object?.SharedObject)).Object?.SharedObject
    if (!shared) return
    if (random.below(2) === 0) shared.mutable = !shared.mutable
    else shared.objectId = random.pick([ATTACKER, '0x5', '0x6', shared.objectId])
  },
  (_, { inputs }, random) => {
    const owned = random.pick(inputs.filter((input) => input.Object?.ImmOrOwnedObject)).Object
      ?.ImmOrOwnedObject
    if (owned) owned.objectId = random.pick(ADDRESSES)
  },
  (_, { inputs }, random) => {
    const { FundsWithdrawal: funds } = random.pick(inputs.filter((input) => input.FundsWithdrawal))
    if (!funds) return
    const change = random.below(3)
    if (change === 0) funds.withdrawFrom = { $kind: 'Sponsor', Sponsor: true }
    if (change === 1) funds.typeArg = { $kind: 'Balance', Balance: '0x2::sui::SUI' }
    if (change === 2)
      funds.reservation = { $kind: 'MaxAmountU64', MaxAmountU64: String(random.below(2 ** 40)) }
  },
  (_, { inputs }, random) => {
    const [one, other] = [random.below(inputs.length), random.below(inputs.length)]
    const [first, second] = [inputs[one], inputs[other]]
    if (first && second) [inputs[one], inputs[other]] = [second, first]
  },
  (_, { inputs }, random) => {
    const objectId = random.pick(ADDRESSES)
    const reference = { objectId, version: '1', digest: DIGEST }
    inputs.push({ $kind: 'Object', Object: { $kind: 'ImmOrOwnedObject', ImmOrOwnedObject: reference } })
  },
  (data, _, random) => {
    data.sender = random.pick([ATTACKER, ...VALIDATORS])
  },
  (data, _, random) => {
    data.gasData.owner = random.pick([ATTACKER, SENDER])
  },
  (data, _, random) => {
    data.gasData.budget = String(random.below(2 ** 45))
  },
  (data, _, random) => {
    data.expiration = random.pick<typeof data.expiration>([
      { $kind: 'None', None: true },
      { $kind: 'Epoch', Epoch: random.below(5_000) },
    ])
  },
]

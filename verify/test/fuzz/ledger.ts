import { bcs } from '@mysten/sui/bcs'
import { fromBase64, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import type { NetworkPins } from '../../src/index.ts'
import { COIN_BALANCE, COINS, GAS_COIN, SENDER, TOKENS } from '../support/honest.ts'
import { callContract } from './contracts.ts'
import {
  Abort,
  type Argument,
  type Cell,
  coinIn,
  type Data,
  type Input,
  type Programmable,
  type Thing,
  Unknown,
  type World,
} from './world.ts'

/**
 * A model chain that executes transactions on balances, written independently of the verifier: the outcome of a mutant is
 * compared with that of the honest transaction. It accepts what the verifier must refuse: any validator, any
 * recipient, any available amount.
 */

const GAS_BALANCE = 900_000_000_000n
const SUI = normalizeStructTag('0x2::sui::SUI')

/** Everything that matters about the outcome, as one text; `abort` when nothing happens. */
export function outcomeOf(bytes: Uint8Array, pins: NetworkPins): string {
  try {
    return execute(bcs.TransactionData.parse(bytes).V1, pins)
  } catch (error) {
    if (error instanceof Unknown) return `unknown: ${error.message}`
    if (error instanceof Abort) return 'abort'
    throw error
  }
}

function execute(data: Data, pins: NetworkPins): string {
  const sender = normalizeSuiAddress(data.sender)
  const programmable = data.kind.ProgrammableTransaction
  if (!programmable) throw new Unknown('no programmable transaction')
  const { inputs, commands } = programmable
  const payer = normalizeSuiAddress(data.gasData.owner)
  const gas: Cell = { thing: { is: 'coin', type: SUI, balance: GAS_BALANCE }, owner: payer }
  const objects = new Map(ownedObjects(pins).map(([id, thing]) => [id, { thing, owner: SENDER } as Cell]))
  const results: (readonly Cell[])[] = []
  let made = 0
  const world: World = {
    pins,
    sender,
    inputs,
    balances: new Map([[`${SENDER} ${normalizeStructTag(pins.coinType)}`, GAS_BALANCE]]),
    owned: [gas, ...objects.values()],
    newId: () => `new ${++made}`,
    pure(argument, length) {
      const input = argument.$kind === 'Input' ? inputs[argument.Input] : undefined
      const found = input?.Pure ? fromBase64(input.Pure.bytes) : undefined
      if (found?.length !== length) throw new Abort('no such value')
      return found
    },
    cell(argument) {
      const found = findCell(argument)
      if (found?.thing === undefined) throw new Abort('nothing there')
      return found
    },
  }
  const findCell = (argument: Argument): Cell | undefined => {
    if (argument.$kind === 'GasCoin') return gas
    if (argument.$kind === 'Input') return objectOf(inputs[argument.Input], objects)
    const [command, at] = argument.$kind === 'Result' ? [argument.Result, 0] : argument.NestedResult
    const of = results[command]
    return argument.$kind === 'Result' && of?.length !== 1 ? undefined : of?.[at]
  }
  for (const command of commands) results.push(run(world, command))
  if (results.flat().some(({ thing, owner }) => thing !== undefined && owner === undefined))
    throw new Abort('left over')
  return describe(world, [...world.owned, ...results.flat()], payer)
}

function objectOf(input: Input | undefined, objects: ReadonlyMap<string, Cell>): Cell | undefined {
  const id = input?.Object?.ImmOrOwnedObject?.objectId
  if (input?.Object?.Receiving) throw new Unknown('receiving')
  return id === undefined ? undefined : objects.get(normalizeSuiAddress(id))
}

function ownedObjects(pins: NetworkPins): readonly (readonly [string, Thing])[] {
  const type = normalizeStructTag(pins.coinType)
  return [
    ...COINS.map((id) => [id, { is: 'coin', type, balance: COIN_BALANCE }] as const),
    ...TOKENS.map((id, at) => {
      // The last three can be joined.
      const validator = `old ${Math.min(at, 2)}`
      const principal = 9_000_000_000n + BigInt(at)
      return [id, { is: 'token', id, validator, principal, isRequested: false }] as const
    }),
    [GAS_COIN, { is: 'coin', type: SUI, balance: 1n }],
  ]
}

function run(world: World, command: Programmable['commands'][number]): readonly Cell[] {
  switch (command.$kind) {
    case 'MoveCall':
      return callContract(world, command.MoveCall)
    case 'SplitCoins': {
      const from = coinIn(world.cell(command.SplitCoins.coin))
      return command.SplitCoins.amounts.map((argument) => {
        const balance = bcs.u64().parse(world.pure(argument, 8))
        const amount = BigInt(balance)
        if (from.balance < amount) throw new Abort('too little')
        from.balance -= amount
        return { thing: { is: 'coin', type: from.type, balance: amount }, owner: undefined }
      })
    }
    case 'MergeCoins': {
      const into = coinIn(world.cell(command.MergeCoins.destination))
      for (const source of command.MergeCoins.sources) {
        const cell = world.cell(source)
        const from = coinIn(cell)
        if (from === into || from.type !== into.type) throw new Abort('other coin')
        into.balance += from.balance
        cell.thing = undefined
      }
      return []
    }
    case 'TransferObjects': {
      const to = bcs.Address.parse(world.pure(command.TransferObjects.address, 32))
      for (const argument of command.TransferObjects.objects) world.cell(argument).owner = to
      return []
    }
    default:
      throw new Unknown(command.$kind)
  }
}

const oldId = (id: string): string => (id.startsWith('0x') ? id : 'new')

/** The balances and tokens of each owner afterwards. Which of its own coins an owner used does not matter. */
function describe({ balances, sender }: World, cells: readonly Cell[], payer: string): string {
  const sums = new Map(balances)
  const tokens: string[] = []
  for (const { thing, owner } of new Set(cells)) {
    if (thing?.is === 'token')
      tokens.push(`${owner} ${oldId(thing.id)} ${thing.validator} ${thing.principal} ${thing.isRequested}`)
    if (thing?.is !== 'coin' || thing.balance === 0n) continue
    const key = `${owner} ${thing.type}`
    sums.set(key, (sums.get(key) ?? 0n) + thing.balance)
  }
  const money = [...sums].filter(([, sum]) => sum > 0n).map(([key, sum]) => `${key} ${sum}`)
  return [`sender ${sender}`, `payer ${payer}`, ...money.toSorted(), ...tokens.toSorted()].join('\n')
}

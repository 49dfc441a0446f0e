import { bcs } from '@mysten/sui/bcs'
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import { Abort, type Argument, type Cell, coinIn, type Thing, Unknown, type World } from './world.ts'

type Call = {
  readonly package: string
  readonly module: string
  readonly function: string
  readonly typeArguments: readonly string[]
  readonly arguments: readonly Argument[]
}

/** The contracts of the model chain: staking, and the framework's coin calls. */
export function callContract(world: World, call: Call): readonly Cell[] {
  const name = `${call.module}::${call.function}`
  const isFramework = normalizeSuiAddress(call.package) === normalizeSuiAddress('0x2')
  const isStaking = world.pins.packages.some(
    (id) => normalizeSuiAddress(id) === normalizeSuiAddress(call.package),
  )
  const known = isFramework ? FRAMEWORK[name] : isStaking ? staking(world)[name] : undefined
  if (known === undefined) throw new Unknown(`${call.package}::${name}`)
  return known(world, call)
}

type Contract = (world: World, call: Call) => readonly Cell[]

const FRAMEWORK: Readonly<Record<string, Contract>> = {
  'coin::redeem_funds'(world, call) {
    const [argument] = take(call, 1)
    const input = argument?.$kind === 'Input' ? world.inputs[argument.Input]?.FundsWithdrawal : undefined
    const type = onlyType(call)
    if (!input || normalizeStructTag(input.typeArg.Balance) !== type) throw new Abort('no withdrawal')
    if (!input.withdrawFrom.Sender) throw new Unknown('money of somebody else')
    const balance = BigInt(input.reservation.MaxAmountU64)
    addBalance(world, world.sender, type, -balance)
    return [{ thing: { is: 'coin', type, balance }, owner: undefined }]
  },
  'coin::send_funds'(world, call) {
    const [coin, address] = take(call, 2)
    const cell = world.cell(coin)
    const { type, balance } = coinIn(cell)
    if (type !== onlyType(call)) throw new Abort('other type')
    addBalance(world, bcs.Address.parse(world.pure(address, 32)), type, balance)
    cell.thing = undefined
    return []
  },
  'coin::destroy_zero'(world, call) {
    const [coin] = take(call, 1)
    const cell = world.cell(coin)
    if (coinIn(cell).balance !== 0n || coinIn(cell).type !== onlyType(call)) throw new Abort('not empty')
    cell.thing = undefined
    return []
  },
}

function staking({ pins: { calls } }: World): Readonly<Record<string, Contract>> {
  return {
    [calls.stake]: (world, call) => [stake(world, call)],
    ...(calls.stakeAndSend && {
      [calls.stakeAndSend]: (world: World, call: Call) => sent(world, stake(world, call)),
    }),
    [calls.split](world, call) {
      const [from, amount] = take(noTypes(call), 2)
      const token = tokenIn(world.cell(from))
      const principal = BigInt(bcs.u64().parse(world.pure(amount, 8)))
      if (principal === 0n || principal >= token.principal) throw new Abort('too much')
      token.principal -= principal
      return [{ thing: { ...token, id: world.newId(), principal }, owner: undefined }]
    },
    ...(calls.join && { [calls.join]: join }),
    ...(calls.unstake && { [calls.unstake]: requestBack }),
    [calls.withdraw](world, call) {
      const [system, argument] = take(noTypes(call), 2)
      checkSystem(world, system)
      const cell = world.cell(argument)
      const { principal: balance, isRequested } = tokenIn(cell)
      if (isRequested) throw new Abort('waits')
      cell.thing = undefined
      const type = normalizeStructTag(world.pins.coinType)
      const paid: Cell = { thing: { is: 'coin', type, balance }, owner: undefined }
      return calls.withdrawReturns ? [paid] : sent(world, paid)
    },
  }
}

function join(world: World, call: Call): readonly Cell[] {
  const [into, other] = take(noTypes(call), 2)
  const [stays, ends] = [world.cell(into), world.cell(other)]
  const [token, taken] = [tokenIn(stays), tokenIn(ends)]
  if (stays === ends || token.validator !== taken.validator || token.isRequested !== taken.isRequested)
    throw new Abort('unlike')
  token.principal += taken.principal
  ends.thing = undefined
  return []
}

function requestBack(world: World, call: Call): readonly Cell[] {
  const [system, argument] = take(noTypes(call), 2)
  checkSystem(world, system)
  const token = tokenIn(world.cell(argument))
  if (token.isRequested) throw new Abort('asked before')
  token.isRequested = true
  return []
}

function stake(world: World, call: Call): Cell {
  const [system, coin, validator] = take(noTypes(call), 3)
  checkSystem(world, system)
  const cell = world.cell(coin)
  const { type, balance } = coinIn(cell)
  if (type !== normalizeStructTag(world.pins.coinType)) throw new Abort('other coin')
  cell.thing = undefined
  const id = bcs.Address.parse(world.pure(validator, 32))
  const thing: Thing = {
    is: 'token',
    id: world.newId(),
    validator: id,
    principal: balance,
    isRequested: false,
  }
  return { thing, owner: undefined }
}

function sent(world: World, cell: Cell): readonly Cell[] {
  world.owned.push(Object.assign(cell, { owner: world.sender }))
  return []
}

function checkSystem({ inputs, pins }: World, argument: Argument): void {
  const shared = argument.$kind === 'Input' ? inputs[argument.Input]?.Object?.SharedObject : undefined
  const isSystem =
    shared && normalizeSuiAddress(shared.objectId) === normalizeSuiAddress(pins.system.objectId)
  const { initialSharedVersion = shared?.initialSharedVersion } = pins.system
  if (!isSystem || !shared.mutable || String(shared.initialSharedVersion) !== String(initialSharedVersion))
    throw new Abort('another system')
}

function tokenIn({ thing }: Cell): Extract<Thing, { is: 'token' }> {
  if (thing?.is !== 'token') throw new Abort('no token')
  return thing
}

function take({ arguments: given }: Call, count: number): readonly [Argument, Argument, Argument] {
  if (given.length !== count) throw new Abort('other arguments')
  return given as unknown as readonly [Argument, Argument, Argument]
}

function noTypes(call: Call): Call {
  if (call.typeArguments.length > 0) throw new Abort('type arguments')
  return call
}

function onlyType({ typeArguments: [type, ...others] }: Call): string {
  if (type === undefined || others.length > 0) throw new Abort('type arguments')
  return normalizeStructTag(type)
}

function addBalance({ balances }: World, owner: string, type: string, amount: bigint): void {
  const key = `${owner} ${type}`
  const sum = (balances.get(key) ?? 0n) + amount
  if (sum < 0n) throw new Abort('too little')
  balances.set(key, sum)
}

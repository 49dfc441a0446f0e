import { normalizeSuiAddress } from '@mysten/sui/utils'
import { isSameType } from './coin-type.ts'
import type { Argument, Command } from './decode.ts'
import { Refusal } from './refusal.ts'
import { purseAt, type Run } from './run.ts'
import { type Place, place, type Value } from './values.ts'

type MoveCall = NonNullable<Command['MoveCall']>
type Token = Extract<Value, { is: 'token' }>

/** Interprets a call of the network's contract, or one of the few framework calls that move the sender's own coins. */
export function runCall(run: Run, call: MoveCall, index: number): readonly Place[] {
  const { calls, packages } = run.pins
  const target = `${call.module}::${call.function}`
  if (normalizeSuiAddress(call.package) === FRAMEWORK) return frameworkCall(run, call, target, index)
  if (!packages.some((id) => normalizeSuiAddress(id) === normalizeSuiAddress(call.package)))
    throw new Refusal('pattern', `a call of ${packages.join(' or ')}`, `${call.package}::${target}`)
  if (call.typeArguments.length > 0)
    throw new Refusal('pattern', 'no type arguments', call.typeArguments.join(', '))
  switch (target) {
    case calls.stake:
      return stake(run, call, [place(`the staked token of command ${index}`, { is: 'staked' })])
    case calls.stakeAndSend:
      return stake(run, call, [])
    case calls.split:
      return [splitToken(run, call, index)]
    case calls.join:
      return join(run, call)
    case calls.unstake:
      return requestBack(run, call)
    case calls.withdraw:
      return withdraw(run, call, index)
    default:
      throw new Refusal('pattern', 'a call that stakes, splits, joins, unstakes or withdraws', target)
  }
}

export const FRAMEWORK = normalizeSuiAddress('0x2')

function argumentsOf<Count extends number>({ arguments: given, function: name }: MoveCall, count: Count) {
  if (given.length !== count)
    throw new Refusal('pattern', `${count} arguments of ${name}`, String(given.length))
  return given as readonly Argument[] as Tuple<Count>
}

type Tuple<Count extends number> = Count extends 1
  ? readonly [Argument]
  : Count extends 2
    ? readonly [Argument, Argument]
    : readonly [Argument, Argument, Argument]

function stake(run: Run, call: MoveCall, results: readonly Place[]): readonly Place[] {
  const [system, from, to] = argumentsOf(call, 3)
  run.inputs.system(system)
  const coin = run.placeOf(from, 'a coin of known amount')
  if (coin.value?.is !== 'coin') throw new Refusal('pattern', 'a coin of known amount', coin.name)
  coin.isGone = true
  const validator = run.inputs.id(to, 'a validator')
  run.effects.push({ action: 'stake', validator, amount: coin.value.amount })
  return results
}

/** A staked token of the sender: an input, or a part that was split off one. */
function tokenAt(run: Run, argument: Argument): Place & { value: Token } {
  const found = run.placeOf(argument, 'a staked token')
  if (found.value === undefined) {
    const { id } = run.inputs.owned(argument, 'a staked token')
    found.value = { is: 'token', id, part: undefined, isRequested: false, isUsed: false, isJoined: false }
  }
  const { value } = found
  if (value.is !== 'token') throw new Refusal('pattern', 'a staked token', found.name)
  return Object.assign(found, { value })
}

/** A token that no other was joined into, so it still has the value that it had before the transaction. */
function plainTokenAt(run: Run, argument: Argument): ReturnType<typeof tokenAt> {
  const found = tokenAt(run, argument)
  if (found.value.isJoined) throw new Refusal('pattern', 'a token that no other was joined into', found.name)
  return found
}

/** Joins whole tokens of the sender. Consecutive calls with the same first token are one join. */
function join(run: Run, call: MoveCall): readonly Place[] {
  const [into, other] = argumentsOf(call, 2)
  const [stays, ends] = [tokenAt(run, into), plainTokenAt(run, other)]
  const isWhole = ({ value }: typeof stays) => value.part === undefined && (value.isJoined || !value.isUsed)
  if (stays.value === ends.value || !isWhole(stays) || !isWhole(ends))
    throw new Refusal('pattern', 'whole tokens without another use', ends.name)
  Object.assign(stays.value, { isUsed: true, isJoined: true })
  ends.isGone = true
  const last = run.effects.at(-1)
  if (last?.action === 'join' && last.stakedTokenIds[0] === stays.value.id)
    run.effects[run.effects.length - 1] = {
      ...last,
      stakedTokenIds: [...last.stakedTokenIds, ends.value.id],
    }
  else run.effects.push({ action: 'join', stakedTokenIds: [stays.value.id, ends.value.id] })
  return []
}

function splitToken(run: Run, call: MoveCall, index: number): Place {
  const [from, amount] = argumentsOf(call, 2)
  const { value: whole, name } = plainTokenAt(run, from)
  if (whole.part !== undefined || whole.isRequested)
    throw new Refusal('pattern', 'a whole token without a requested withdrawal', name)
  whole.isUsed = true
  const part = run.inputs.u64(amount, 'an amount')
  return place(`the part of command ${index}`, {
    is: 'token',
    id: whole.id,
    part,
    isRequested: false,
    isUsed: false,
    isJoined: false,
  })
}

/** The token stays with the sender; a part that was split off is new and must still be transferred to the sender. */
function requestBack(run: Run, call: MoveCall): readonly Place[] {
  const [system, argument] = argumentsOf(call, 2)
  run.inputs.system(system)
  const { value: token } = plainTokenAt(run, argument)
  if (token.isRequested) throw new Refusal('pattern', 'one request for each token', 'a second one')
  token.isRequested = true
  token.isUsed = true
  run.effects.push({ action: 'unstake', stakedTokenId: token.id, amount: token.part })
  return []
}

function withdraw(run: Run, call: MoveCall, index: number): readonly Place[] {
  const [system, argument] = argumentsOf(call, 2)
  run.inputs.system(system)
  const token = plainTokenAt(run, argument)
  if (token.value.isRequested)
    throw new Refusal('pattern', 'a token that waits for nothing', 'one just asked for')
  token.isGone = true
  run.effects.push({ action: 'withdraw', stakedTokenId: token.value.id, amount: token.value.part })
  return run.pins.calls.withdrawReturns ? [place(`the payout of command ${index}`, { is: 'paid' })] : []
}

/** The framework calls with which the SDK withdraws coins from the sender's balance and returns the rest. */
function frameworkCall(run: Run, call: MoveCall, target: string, index: number): readonly Place[] {
  const [type, ...others] = call.typeArguments
  if (others.length > 0 || !isSameType(type, run.pins.coinType))
    throw new Refusal('pattern', `a call for coins of type ${run.pins.coinType}`, `0x2::${target}`)
  switch (target) {
    case 'coin::redeem_funds': {
      const [withdrawal] = argumentsOf(call, 1)
      run.inputs.withdrawal(withdrawal)
      const purse = { is: 'purse', mustReturn: true, isGas: false, isSplit: false } as const
      return [place(`the coin of command ${index}`, { ...purse })]
    }
    case 'coin::send_funds': {
      const [coin, address] = argumentsOf(call, 2)
      const recipient = run.inputs.id(address, 'an address')
      if (recipient !== run.sender) throw new Refusal('recipient', `the sender ${run.sender}`, recipient)
      return endPurse(purseAt(run, coin))
    }
    case 'coin::destroy_zero': {
      const [coin] = argumentsOf(call, 1)
      return endPurse(purseAt(run, coin))
    }
    default:
      throw new Refusal('pattern', 'a call that moves the sender’s own coins', `0x2::${target}`)
  }
}

function endPurse(purse: ReturnType<typeof purseAt>): readonly Place[] {
  if (purse.value.isGas || !purse.value.isSplit)
    throw new Refusal('pattern', 'what is left of a split coin', purse.name)
  purse.isGone = true
  return []
}

import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'
import type { Token } from '../staking/staked-token.ts'
import { joinTokens, splitToken } from '../staking/staked-token.ts'
import { requestToken, stakeCoins, withdrawToken } from '../staking/validator-set.ts'
import { newId } from '../world/world.ts'
import { readId, readU64, refuse } from './command-shape.ts'
import { PACKAGE_ID, SYSTEM_ID, SYSTEM_VERSION } from './commands.ts'
import type { Run, Value } from './run.ts'
import { findResult, ownedToken, repay, takeResult, UNOWNED } from './run.ts'

/** A call whose arguments are read by index, each as the type its parameter has. */
type Call = {
  readonly run: Run
  system(index: number): void
  coin(index: number): Extract<Value, { kind: 'coin' }>
  pure(index: number, type: 'u64' | 'id'): string
  /** By reference: later commands can use the token again. */
  token(index: number): Token
  /** By value: later commands cannot use the token. */
  tokenTaken(index: number): Token
  readonly field: (index: number) => string
}

type ContractFunction = { readonly parameters: number; readonly run: (call: Call) => Value | undefined }

const FUNCTIONS: Readonly<Record<string, ContractFunction>> = {
  'system::request_add_stake': { parameters: 3, run: addStake },
  'system::request_withdraw_stake': { parameters: 2, run: requestWithdraw },
  'system::withdraw_stake': { parameters: 2, run: withdraw },
  'staked_token::split': { parameters: 2, run: split },
  'staked_token::join': { parameters: 2, run: join },
}

export function callFunction(
  run: Run,
  command: Extract<Command, { kind: 'moveCall' }>,
  field: string,
): Value | undefined {
  const name = command.target.startsWith(`${PACKAGE_ID}::`) ? command.target.slice(PACKAGE_ID.length + 2) : ''
  const called = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined
  if (called === undefined) {
    return refuse(
      `${field}.target`,
      `call one of ${Object.keys(FUNCTIONS).join(', ')} in package ${PACKAGE_ID}.`,
    )
  }
  if (command.typeArguments.length > 0) return refuse(`${field}.typeArguments`, 'this call takes none.')
  if (command.arguments.length !== called.parameters) {
    return refuse(`${field}.arguments`, `this call takes ${called.parameters} arguments.`)
  }
  return called.run(readCall(run, command.arguments, field))
}

function addStake(call: Call): Value {
  call.system(0)
  const { amount, holder } = call.coin(1)
  const validatorId = readId(call.pure(2, 'id'), call.field(2))
  const token = stakeCoins(call.run.draft, UNOWNED, validatorId, amount)
  if (holder) call.run.draft.tokens.set(token.id, { ...token, holder })
  return createdToken(call, token)
}

function requestWithdraw(call: Call): undefined {
  call.system(0)
  const token = call.token(1)
  requestToken(call.run.draft, token)
  call.run.touched.add(token.id)
}

function withdraw(call: Call): Value {
  call.system(0)
  const token = call.tokenTaken(1)
  const amount = withdrawToken(call.run.draft, token)
  call.run.touched.add(token.id)
  return { kind: 'coin', amount, holder: token.holder ?? call.run.holder }
}

function split(call: Call): Value {
  const token = call.token(0)
  const amount = readU64(call.pure(1, 'u64'), call.field(1))
  const { draft, touched } = call.run
  const { rest, part } = splitToken(token, amount, newId(draft))
  draft.tokens.set(rest.id, rest)
  draft.tokens.set(part.id, { ...part, owner: UNOWNED })
  touched.add(rest.id)
  return createdToken(call, part)
}

function join(call: Call): undefined {
  const token = call.token(0)
  const other = call.tokenTaken(1)
  if (token.id === other.id) refuse(call.field(1), 'a token cannot be joined with itself.')
  const { draft, touched } = call.run
  draft.tokens.set(token.id, joinTokens(token, other))
  if (token.holder && other.holder) {
    repay(call.run, other.holder, other.principal)
    repay(call.run, token.holder, -other.principal)
  }
  draft.tokens.delete(other.id)
  touched.add(token.id)
  touched.add(other.id)
}

function createdToken({ run }: Call, token: Token): Value {
  run.touched.add(token.id)
  return { kind: 'token', id: token.id }
}

function readCall(run: Run, args: readonly CommandArgument[], place: string): Call {
  const field = (index: number) => `${place}.arguments[${index}]`
  const tokenOf = (index: number, find: typeof findResult): Token => {
    const argument = args[index]
    if (argument?.kind === 'ownedObject') return ownedToken(run, argument.objectId, field(index))
    if (argument?.kind !== 'result') return refuse(field(index), 'give a staked token.')
    const value = find(run, argument.of, field(index))
    const token = value.kind === 'token' ? run.draft.tokens.get(value.id) : undefined
    return token ?? refuse(field(index), 'that result is a coin: give a staked token.')
  }
  return {
    run,
    field,
    system: (index) => checkSystem(args[index], field(index)),
    coin: (index) => {
      const argument = args[index]
      if (argument?.kind !== 'result') return refuse(field(index), 'give the result of a coin command.')
      const value = takeResult(run, argument.of, field(index))
      return value.kind === 'coin' ? value : refuse(field(index), 'that result is no coin.')
    },
    pure: (index, type) => {
      const argument = args[index]
      if (argument?.kind === 'pure' && argument.type === type) return argument.value
      return refuse(field(index), `give a pure value of type ${type}.`)
    },
    token: (index) => tokenOf(index, findResult),
    tokenTaken: (index) => tokenOf(index, takeResult),
  }
}

function checkSystem(argument: CommandArgument | undefined, field: string): void {
  const isSystem =
    argument?.kind === 'sharedObject' &&
    argument.objectId.toLowerCase() === SYSTEM_ID &&
    argument.initialSharedVersion === SYSTEM_VERSION
  if (!isSystem) refuse(field, `give the shared system object ${SYSTEM_ID}, version ${SYSTEM_VERSION}.`)
  if (!argument.mutable) refuse(field, 'the call changes the system object: give it as mutable.')
}

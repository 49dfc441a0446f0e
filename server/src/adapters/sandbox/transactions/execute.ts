import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command, CommandArgument } from '#ports/chain/staking-chain.ts'
import type { Token } from '../staking/staked-token.ts'
import { coinsLeft, lendCoins, payCoins } from '../staking/validator-set.ts'
import { type Allowance, chargeLoan, repayLoan } from '../world/accounts.ts'
import type { Holder } from '../world/holder.ts'
import { refuseTooManyTokens } from '../world/room.ts'
import type { World } from '../world/world.ts'
import { forkWorld } from '../world/world.ts'
import { Abort } from './abort.ts'
import { callFunction } from './calls.ts'
import { checkCommand, readId, readU64, refuse } from './command-shape.ts'
import { COIN_TYPE } from './commands.ts'
import type { Run } from './run.ts'
import { keepResult, ownedToken, refuseLeftovers, repay, takeResult } from './run.ts'

/** The limit of Sui. */
const MAX_COMMANDS = 1_024

/** The key that executes a transaction, and its limits. */
export type Executor = { readonly holder: Holder; readonly allowance: Allowance }

/**
 * Runs the commands of one transaction on a fork of the world: all of them, or none. Malformed commands throw a
 * `Fault`, as a node would refuse them; what the contract refuses is returned as an abort.
 */
export function executeCommands(
  world: World,
  sender: string,
  commands: readonly Command[],
  executor?: Executor,
): { readonly world: World | undefined; readonly result: ExecutionResult } {
  const run: Run = {
    draft: forkWorld(world),
    sender: readId(sender, 'sender'),
    holder: executor?.holder,
    results: new Map(),
    touched: new Set(),
    lent: 0n,
    repaid: new Map(),
    paidOut: 0n,
  }
  if (!Array.isArray(commands) || commands.length < 1 || commands.length > MAX_COMMANDS) {
    return refuse('commands', `give a list of 1 to ${MAX_COMMANDS} commands.`)
  }
  for (const [index, command] of commands.entries()) checkCommand(command, `commands[${index}]`)
  try {
    for (const [index, command] of commands.entries()) runCommand(run, command, `commands[${index}]`)
  } catch (error) {
    if (!(error instanceof Abort)) throw error
    return { world: undefined, result: { kind: 'aborted', ...error.refusal } }
  }
  refuseLeftovers(run)
  if (executor) settleLoans(run, executor, coinsLeft(world))
  const made = renewTouched(run).filter(({ id }) => !world.tokens.has(id))
  refuseTooManyTokens(run.draft, made)
  return { world: run.draft, result: effectsOf(world, run) }
}

/** Coins pay back the loan they came from, even if another key of the same owner executes the transaction. */
function settleLoans({ draft, lent, repaid }: Run, { holder, allowance }: Executor, left: bigint): void {
  const id = holder.agentId
  chargeLoan(draft, { id, allowance }, { lent, paidOut: repaid.get(id) ?? 0n, left })
  for (const [other, amount] of repaid) if (other !== id) repayLoan(draft, other, amount)
}

/** Notes the day of use in the tokens that the transaction has made or changed, and returns them. */
function renewTouched({ draft, touched, holder }: Run): readonly Token[] {
  return [...touched].flatMap((id) => {
    const token = draft.tokens.get(id)
    if (!token?.holder || !holder) return token ?? []
    const { networkId, day } = holder
    const renewed = { ...token, holder: { ...token.holder, networkId, day } }
    draft.tokens.set(id, renewed)
    return renewed
  })
}

function runCommand(run: Run, command: Command, field: string): void {
  if (command.kind === 'coin') provideCoin(run, command, field)
  if (command.kind === 'moveCall') keepResult(run, command.id, callFunction(run, command, field), field)
  if (command.kind === 'transferToSender') transferObjects(run, command.objects, `${field}.objects`)
}

function transferObjects(run: Run, objects: readonly CommandArgument[], field: string): void {
  if (objects.length === 0) refuse(field, 'name at least one object.')
  for (const [index, object] of objects.entries()) {
    const place = `${field}[${index}]`
    if (object.kind === 'ownedObject') ownedToken(run, object.objectId, place)
    else if (object.kind === 'result') handOver(run, object.of, place)
    else refuse(place, 'only results and owned objects can be transferred.')
  }
}

/** Lends the coins that the transaction spends; `chargeLoan` checks the key's limit at the end. */
function provideCoin(run: Run, coin: Extract<Command, { kind: 'coin' }>, field: string): void {
  if (coin.coinType !== COIN_TYPE) refuse(`${field}.coinType`, `the coin of this chain is ${COIN_TYPE}.`)
  const amount = readU64(coin.amount, `${field}.amount`)
  lendCoins(run.draft, amount)
  run.lent += amount
  keepResult(run, coin.id, { kind: 'coin', amount, holder: run.holder }, field)
}

function handOver(run: Run, of: string, field: string): void {
  const value = takeResult(run, of, field)
  if (value.kind === 'coin') {
    payCoins(run.draft, value.amount)
    run.paidOut += value.amount
    repay(run, value.holder, value.amount)
    return
  }
  const token = run.draft.tokens.get(value.id)
  if (token !== undefined) run.draft.tokens.set(token.id, { ...token, owner: run.sender })
}

function effectsOf(before: World, { draft, touched, paidOut }: Run): ExecutionResult {
  const alive = [...touched].flatMap((id) => draft.tokens.get(id) ?? [])
  const isNew = (id: string) => !before.tokens.has(id)
  return {
    kind: 'done',
    epoch: draft.epoch,
    created: alive
      .filter(({ id }) => isNew(id))
      .map(({ id, validatorId, principal, activationEpoch }) => ({
        id,
        validatorId,
        principal,
        activationEpoch,
      })),
    // A part that is split off and requested in one transaction is also listed here, because of its withdraw epoch.
    changed: alive
      .filter(({ id, withdrawEpoch }) => !isNew(id) || withdrawEpoch !== undefined)
      .map(({ id, withdrawEpoch }) => ({ id, withdrawEpoch })),
    consumed: [...touched].filter((id) => !isNew(id) && !draft.tokens.has(id)),
    coinsPaidOut: paidOut,
  }
}

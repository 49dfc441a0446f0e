import { call, Fault, refusal } from '../../../fault.ts'
import type { Token } from '../staking/staked-token.ts'
import type { Holder } from '../world/holder.ts'
import { isSimulatedOwner } from '../world/simulated-owners.ts'
import type { World } from '../world/world.ts'
import { refuse } from './command-shape.ts'

/** The result of a command, for later commands. A new token has no owner until it is transferred. */
export type Value =
  /** The coin pays back the loan of this holder. */
  | { readonly kind: 'coin'; readonly amount: bigint; readonly holder: Holder | undefined }
  | { readonly kind: 'token'; readonly id: string }

/** One transaction while it runs. */
export type Run = {
  readonly draft: World
  readonly sender: string
  /** Undefined: without a key, nothing is limited. */
  readonly holder: Holder | undefined
  /** `nothing`: a call without a result · `used`: passed by value to a later command, which is possible once. */
  readonly results: Map<string, Value | 'nothing' | 'used'>
  /** Tokens that were made, changed or destroyed, in that order. */
  readonly touched: Set<string>
  lent: bigint
  /** The coins that each agent has paid back; negative: it has taken over a loan. */
  readonly repaid: Map<string, bigint>
  paidOut: bigint
}

export const UNOWNED = ''

export function keepResult(run: Run, id: string, value: Value | undefined, field: string): void {
  if (id === '') refuse(`${field}.id`, 'give the command a name.')
  if (run.results.has(id)) refuse(`${field}.id`, 'another command has this name: choose a new one.')
  run.results.set(id, value ?? 'nothing')
}

export function findResult(run: Run, of: string, field: string): Value {
  const value = run.results.get(of)
  if (value === undefined) return refuse(field, 'no earlier command has this name.')
  if (value === 'nothing') return refuse(field, 'that command has no result.')
  if (value === 'used') return refuse(field, 'that result is used already.')
  return value
}

export function takeResult(run: Run, of: string, field: string): Value {
  const value = findResult(run, of, field)
  run.results.set(of, 'used')
  return value
}

/** A token of another owner is refused with the same message as a missing one. */
export function ownedToken(run: Run, objectId: string, field: string): Token {
  const token = run.draft.tokens.get(objectId.toLowerCase())
  if (token === undefined || token.owner !== run.sender) {
    const message = `owns no object with the id of ${field}: send the address that owns it, or another id.`
    const fix = `If this transaction was executed before, it has used up the object: look at what ${call('positions')} lists now. Otherwise correct \`sender\`, \`${field}\` and send the request again.`
    throw new Fault('invalid_input', `sender: ${message}`, {
      fix,
      next: { endpoint: 'positions', given: { owner: run.sender } },
      details: [
        { field: 'sender', message },
        { field, message: 'is no object of the sender' },
      ],
    })
  }
  if (run.holder) refuseForeign(run.draft, run.holder, token, field)
  return token
}

/**
 * Tokens of simulated delegators have no holder. A simulation, which has no
 * caller's network, is also allowed for simulated delegators: like that of a real chain, it needs no signature.
 */
function refuseForeign({ chainId }: World, by: Holder, { holder, owner }: Token, field: string): void {
  if (holder) {
    if (holder.ownerId !== by.ownerId) throw stakedByOthers(field)
  } else if (by.networkId !== undefined && isSimulatedOwner(chainId, owner)) {
    throw stakeOfSimulated(field)
  }
}

const stakeOfSimulated = (field: string): Fault =>
  refusal(
    'forbidden',
    `\`${field}\` belongs to a simulated delegator, for whom no key can act.`,
    'Stake with your key as a `sender` of your own, and use that.',
    { details: [{ field, message: 'belongs to a simulated delegator' }] },
  )

const stakedByOthers = (field: string): Fault =>
  refusal(
    'forbidden',
    `\`${field}\` was staked with another key, and only the keys of its owner may use it.`,
    'Send the request with the key that staked it. With this key, stake as a `sender` that nobody else uses.',
    { details: [{ field, message: 'was staked with the key of another owner' }] },
  )

export function repay(run: Run, holder: Holder | undefined, amount: bigint): void {
  if (holder) run.repaid.set(holder.agentId, (run.repaid.get(holder.agentId) ?? 0n) + amount)
}

/** As in Move, a coin or a staked token that no command takes makes the transaction invalid. */
export function refuseLeftovers(run: Run): void {
  for (const [id, value] of run.results) {
    if (typeof value === 'object')
      refuse('commands', `nothing takes the result of '${id}': transfer it to the sender.`)
  }
}

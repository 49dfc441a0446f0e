import { Fault } from '../../../fault.ts'
import type { Token } from '../staking/staked-token.ts'
import type { World } from '../world/world.ts'
import { refuse } from './command-shape.ts'

/** The result of a command, for later commands. A new token has no owner until it is transferred. */
export type Value =
  | { readonly kind: 'coin'; readonly amount: bigint }
  | { readonly kind: 'token'; readonly id: string }

/** One transaction while it runs. */
export type Run = {
  readonly draft: World
  readonly sender: string
  /** `nothing`: a call without a result · `used`: passed by value to a later command, which is possible once. */
  readonly results: Map<string, Value | 'nothing' | 'used'>
  /** Tokens that were made, changed or destroyed, in that order. */
  readonly touched: Set<string>
  lent: bigint
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
    const fix = `Correct \`sender\`, \`${field}\` and send the request again.`
    throw new Fault('invalid_input', `sender: ${message}`, {
      fix,
      details: [
        { field: 'sender', message },
        { field, message: 'is no object of the sender' },
      ],
    })
  }
  return token
}

/** As in Move, a coin or a staked token that no command takes makes the transaction invalid. */
export function refuseLeftovers(run: Run): void {
  for (const [id, value] of run.results) {
    if (typeof value === 'object')
      refuse('commands', `nothing takes the result of '${id}': transfer it to the sender.`)
  }
}

import type { Argument } from './decode.ts'
import type { Inputs } from './inputs.ts'
import type { NetworkPins } from './networks.ts'
import { Refusal } from './refusal.ts'
import type { Place, Value } from './values.ts'
import type { Effect } from './wish.ts'

/** The state of the interpretation of a transaction. */
export type Run = {
  readonly pins: NetworkPins
  readonly sender: string
  readonly inputs: Inputs
  readonly effects: Effect[]
  /** The place that an argument names; throws if it was already consumed. */
  placeOf(argument: Argument, what: string): Place
}

/** A coin of the sender from which parts are taken. An input object of unknown role becomes one. */
export function purseAt(run: Run, argument: Argument): Place & { value: Extract<Value, { is: 'purse' }> } {
  const found = run.placeOf(argument, 'a coin of the sender')
  found.value ??= { is: 'purse', mustReturn: false, isGas: false, isSplit: false }
  const { value } = found
  if (value.is !== 'purse') throw new Refusal('pattern', 'a coin of the sender', found.name)
  return Object.assign(found, { value })
}

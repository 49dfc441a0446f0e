import { runCall } from './calls.ts'
import { coinOfIntent, mergeCoins, splitCoins } from './coins.ts'
import type { Argument, Command, Decoded } from './decode.ts'
import { nameOf, openInputs } from './inputs.ts'
import type { NetworkPins } from './networks.ts'
import { Refusal } from './refusal.ts'
import type { Run } from './run.ts'
import { type Place, place } from './values.ts'
import type { Effect } from './wish.ts'

/**
 * Interprets a transaction command by command and returns its effects in order. Throws a `Refusal` for anything but
 * staking for the sender.
 */
export function interpret({ sender, gas, inputs, commands }: Decoded, pins: NetworkPins): readonly Effect[] {
  if (sender === null) throw new Refusal('sender', 'a sender', 'none')
  refuseDuplicates(inputs, gas)
  const isOwnGas = gas.owner === null || gas.owner === sender
  const gasCoin = place('the gas coin', { is: 'purse', mustReturn: false, isGas: true, isSplit: false })
  const objects = new Map<number, Place>()
  const results: (readonly Place[])[] = []
  const run: Run = {
    pins,
    sender,
    inputs: openInputs(inputs, pins),
    effects: [],
    placeOf(argument, what) {
      const found = findPlace(argument, what)
      if (found.isGone)
        throw new Refusal('pattern', `${what} that is still there`, `${found.name}, used up before`)
      return found
    },
  }

  function findPlace(argument: Argument, what: string): Place {
    if (argument.$kind === 'GasCoin') {
      if (isOwnGas) return gasCoin
      throw new Refusal('pattern', 'coins of the sender', 'the gas coin of a sponsor')
    }
    if (argument.$kind === 'Input') {
      const { index, id } = run.inputs.owned(argument, what)
      const known = objects.get(index) ?? place(`object ${id}`, undefined)
      objects.set(index, known)
      return known
    }
    const [command, position] = argument.$kind === 'Result' ? [argument.Result, 0] : argument.NestedResult
    const of = results[command]
    const isOnly = argument.$kind !== 'Result' || of?.length === 1
    const found = isOnly ? of?.[position] : undefined
    if (found === undefined) throw new Refusal('pattern', what, nameOf(argument))
    return found
  }

  for (const [index, command] of commands.entries()) results.push(runCommand(run, command, index))
  run.inputs.refuseUnused()
  for (const left of [...objects.values(), ...results.flat()]) refuseLeftOver(left)
  return run.effects
}

/** Returns the results of the command. */
function runCommand(run: Run, command: Command, index: number): readonly Place[] {
  switch (command.$kind) {
    case 'MoveCall':
      return runCall(run, command.MoveCall, index)
    case 'SplitCoins':
      return splitCoins(run, command.SplitCoins, index)
    case 'MergeCoins':
      return mergeCoins(run, command.MergeCoins)
    case 'TransferObjects':
      return transferObjects(run, command.TransferObjects)
    case '$Intent':
      return [coinOfIntent(run, command.$Intent, index)]
    default:
      throw new Refusal('pattern', 'commands of a staking transaction', command.$kind)
  }
}

function transferObjects(
  run: Run,
  { objects, address }: NonNullable<Command['TransferObjects']>,
): readonly Place[] {
  const recipient = run.inputs.id(address, 'an address')
  if (recipient !== run.sender) throw new Refusal('recipient', `the sender ${run.sender}`, recipient)
  if (objects.length === 0) throw new Refusal('pattern', 'objects to send', 'none')
  for (const argument of objects) {
    const sent = run.placeOf(argument, 'a token or coin from a staking call')
    const { value } = sent
    const isPart = value?.is === 'token' && value.part !== undefined && value.isRequested
    if (value?.is !== 'staked' && value?.is !== 'paid' && !isPart)
      throw new Refusal('pattern', 'a token or coin from a staking call', sent.name)
    sent.isGone = true
  }
  return []
}

/** At the end every new object must have been transferred to the sender, and every taken coin must have been used. */
function refuseLeftOver({ value, isGone, name }: Place): void {
  if (isGone || value === undefined) return
  if (value.is === 'purse' && value.isSplit && !value.mustReturn) return
  if (value.is === 'token' && value.part === undefined && value.isUsed) return
  throw new Refusal('pattern', 'no unused coin or token', name)
}

/** Each object may appear once, as an input or as gas. */
function refuseDuplicates(inputs: Decoded['inputs'], gas: Decoded['gas']): void {
  const ids = [
    ...inputs.flatMap(({ Object: object, UnresolvedObject: open }) => [
      object?.SharedObject?.objectId ??
        object?.ImmOrOwnedObject?.objectId ??
        object?.Receiving?.objectId ??
        open?.objectId,
    ]),
    ...(gas.payment ?? []).map(({ objectId }) => objectId),
  ].filter((id) => id !== undefined)
  if (new Set(ids).size !== ids.length) throw new Refusal('inputs', 'each object once', 'one twice')
}

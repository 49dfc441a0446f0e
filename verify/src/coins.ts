import { isSameType } from './coin-type.ts'
import type { Command } from './decode.ts'
import { Refusal } from './refusal.ts'
import { purseAt, type Run } from './run.ts'
import { type Place, place } from './values.ts'

/** Splits the coins to stake off a coin of the sender. */

export function splitCoins(
  run: Run,
  { coin, amounts }: NonNullable<Command['SplitCoins']>,
  index: number,
): readonly Place[] {
  const purse = purseAt(run, coin)
  if (purse.value.isGas && !isSameType(run.pins.coinType, SUI))
    throw new Refusal('pattern', `coins of type ${run.pins.coinType}`, 'the gas coin')
  if (amounts.length === 0) throw new Refusal('pattern', 'a split into amounts', 'none')
  purse.value.isSplit = true
  return amounts.map((argument, at) => {
    const amount = run.inputs.u64(argument, 'an amount')
    return place(`coin ${at} of command ${index}`, { is: 'coin', amount })
  })
}

const SUI = '0x2::sui::SUI'

/** Merges coins of the sender. */
export function mergeCoins(
  run: Run,
  { destination, sources }: NonNullable<Command['MergeCoins']>,
): readonly Place[] {
  const into = purseAt(run, destination)
  if (into.value.isGas || into.value.isSplit || sources.length === 0)
    throw new Refusal('pattern', 'coins merged before they are split', into.name)
  for (const source of sources) {
    const from = purseAt(run, source)
    if (from === into || from.value.isGas || from.value.isSplit)
      throw new Refusal('pattern', 'another coin of the sender', from.name)
    from.isGone = true
  }
  return []
}

/** The SDK's placeholder for coins that it selects when it builds the transaction. */
export function coinOfIntent(run: Run, intent: NonNullable<Command['$Intent']>, index: number): Place {
  const { name, inputs, data } = intent
  const { type, balance, outputKind = 'coin', ...others } = data
  const coinType = type === 'gas' ? SUI : type
  const isAmount =
    typeof balance === 'bigint' || (typeof balance === 'string' && /^[1-9][0-9]{0,19}$/.test(balance))
  const isRight =
    name === 'CoinWithBalance' &&
    Object.keys(inputs).length + Object.keys(others).length === 0 &&
    outputKind === 'coin' &&
    isSameType(coinType, run.pins.coinType) &&
    isAmount
  if (!isRight)
    throw new Refusal('pattern', `a coin of type ${run.pins.coinType}`, JSON.stringify({ name, type }))
  if (type === 'gas') run.placeOf({ $kind: 'GasCoin', GasCoin: true }, 'coins of the sender')
  return place(`the coin of command ${index}`, { is: 'coin', amount: BigInt(balance) })
}

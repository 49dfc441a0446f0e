import type { NetworkPins } from './networks.ts'
import type { Effect } from './wish.ts'

/** An effect as a sentence for the signer. */
export function inWords(effect: Effect, pins: NetworkPins): string {
  const shown = (amount: bigint) => printAmount(amount, pins)
  if (effect.action === 'stake')
    return `Stakes ${shown(effect.amount)} with the validator ${effect.validator}; the staked token goes to the sender.`
  if (effect.action === 'join') {
    const [first, ...others] = effect.stakedTokenIds
    return `Joins ${others.join(', ')} into the staked token ${first}, which stays the sender’s.`
  }
  const { stakedTokenId, amount } = effect
  const what =
    amount === undefined ? `the staked token ${stakedTokenId}` : `${shown(amount)} of ${stakedTokenId}`
  if (effect.action === 'unstake')
    return `Asks for ${what} back; it stays the sender’s, and has to be withdrawn later.`
  return `Pays out ${what}, with its rewards, to the sender.`
}

function printAmount(amount: bigint, { decimals, symbol }: NetworkPins): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  // No negative index: slice(-0) is the whole text.
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  const whole = digits.slice(0, point)
  return `${whole}${fraction === '' ? '' : `.${fraction}`} ${symbol}`
}

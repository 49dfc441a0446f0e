import type { Fields } from '../fields.ts'
import type { NetworkPins, PinTable } from '../networks.ts'
import { BadWish } from '../refusal.ts'
import { nearWords } from './near-words.ts'

/**
 * Parses a wish in words. Each action has exactly one spelling, so that no two readers can understand it differently;
 * any other text is refused.
 */

const ID = '0x[0-9a-fA-F]{64}'
const STAKE = new RegExp(`^stake (\\S+) (\\S+) with validator (${ID}) from (${ID})(?: on (\\S+))?$`)
const TAKE = new RegExp(
  `^(unstake|withdraw) (\\S+) (\\S+) of staked token (${ID}) from (${ID})(?: on (\\S+))?$`,
)
const AMOUNT = /^(0|[1-9][0-9]{0,19})(?:\.([0-9]{1,20}))?$/

const FORMS =
  'a wish in words is `stake 5 IKA with validator 0x… from 0x…`, or `unstake 5 IKA of staked token 0x… from 0x…` (also withdraw; `all` instead of 5 takes the whole token), with `on ika-testnet` or another network at the end if it is not the main one; ids are 0x and 64 hex digits, and words are separated by one space. Everything else is wished as JSON'

/** The same wish as an object. */
export function readWords(text: string, table: PinTable): Fields {
  const staked = STAKE.exec(text)
  if (staked) {
    const [, amount = '', symbol = '', validator, sender, named] = staked
    const { network, pins } = networkOf(symbol, named, table)
    return { network, sender, action: 'stake', validator, amount: toUnits(amount, pins) }
  }
  const taken = TAKE.exec(text)
  if (!taken) throw new BadWish(nearWords(text) ?? FORMS)
  const [, action, amount = '', symbol = '', stakedTokenId, sender, named] = taken
  const { network, pins } = networkOf(symbol, named, table)
  const part = amount === 'all' ? undefined : { amount: toUnits(amount, pins) }
  return { network, sender, action, stakedTokenId, ...part }
}

/** A main network and its testnet share a symbol: without a name of a network the main one is used. */
function networkOf(symbol: string, named: string | undefined, { networks }: PinTable) {
  const all = Object.entries(networks)
  const alike = all.filter(([, pins]) => pins.symbol === symbol)
  if (alike.length === 0)
    throw new BadWish(
      `the symbol must be one of ${[...new Set(all.map(([, pins]) => pins.symbol))].join(', ')}`,
    )
  const meant = alike.filter(([name]) => (named === undefined ? !name.endsWith('-testnet') : name === named))
  const [found, ...others] = meant
  if (!found || others.length > 0)
    throw new BadWish(
      `${symbol} is the token of ${alike.map(([name]) => name).join(' and ')}: say which one is meant, such as \`on ${alike[0]?.[0]}\` at the end`,
    )
  return { network: found[0], pins: found[1] }
}

function toUnits(amount: string, { symbol, decimals }: NetworkPins): string {
  const [, whole = '', fraction = ''] = AMOUNT.exec(amount) ?? []
  if (whole === '' || fraction.length > decimals)
    throw new BadWish(
      `the amount must be in ${symbol}, in plain digits with a point and at most ${decimals} decimals, such as 5 or 0.25`,
    )
  return String(BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0'))
}

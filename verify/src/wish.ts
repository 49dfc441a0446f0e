import { type Fields, refuseUnknown, toAmount, toFields, toId, toOptionalEpoch } from './fields.ts'
import { readIntent } from './intents/read-intent.ts'
import type { PinTable } from './networks.ts'
import { BadWish } from './refusal.ts'
import { readWords } from './wishes/read-words.ts'

/** One effect of a transaction, actual or wished. Ids are in full, amounts in smallest units. */
export type Effect =
  | { readonly action: 'stake'; readonly validator: string; readonly amount: bigint }
  /** Without an amount: the whole token. */
  | {
      readonly action: 'unstake' | 'withdraw'
      readonly stakedTokenId: string
      readonly amount: bigint | undefined
    }
  /** All tokens are joined into the first. */
  | { readonly action: 'join'; readonly stakedTokenIds: readonly string[] }

export type Wish = {
  readonly network: string
  /** The signer; undefined: the intent names no sender, so any signer is accepted. */
  readonly sender: string | undefined
  readonly effects: readonly Effect[]
  /** The most that gas may cost, in MIST. */
  readonly maxGas: bigint
  /** The gas payer; undefined: the sender. */
  readonly gasOwner: string | undefined
  /** The last epoch in which it may be executed; undefined: no bound was wished. */
  readonly expiresEpoch: bigint | undefined
  /** The present epoch of Sui, if known: what has expired is refused. */
  readonly atEpoch: bigint | undefined
  /** `package::module::function` of every call of the network, in order; undefined: as the effects need them. */
  readonly calls: readonly string[] | undefined
  /** The chain it is meant for; undefined: that of the network. */
  readonly chain: string | undefined
}

/** 0.1 SUI. A staking transaction costs a few hundredths of this. */
const DEFAULT_MAX_GAS = '100000000'
const MAX_ITEMS = 50

/** Fields of the wish as a whole, and of each of its items. */
const WHOLE = ['network', 'sender', 'maxGas', 'sponsor', 'expiresEpoch', 'atEpoch', 'items']
const ITEM = [
  'action',
  'validator',
  'validatorId',
  'stakedTokenId',
  'positionId',
  'amount',
  'principal',
  'stakedTokenIds',
]

/**
 * Parses a wish in words, a wish as an object (one action, or several in `items`), or an intent, which has a version
 * `v`. Unknown fields are refused: a misspelled bound would bind nothing.
 */
export function toWish(value: unknown, table: PinTable): Wish {
  if (typeof value === 'string') return readOwnWish(readWords(value, table), table)
  if (Array.isArray(value))
    throw new BadWish(
      'the wish is a list; several actions are one object: { "network", "sender", "items": […] }',
    )
  const fields = toFields(value, 'the wish')
  if (fields['v'] === undefined) return readOwnWish(fields, table)
  const { wish, calls, chain } = readIntent(fields)
  return { ...readWish(wish, table), calls, chain }
}

function readOwnWish(given: Fields, table: PinTable): Wish {
  if (given['sender'] === undefined) throw new BadWish('sender is missing: the address that signs')
  return readWish(given, table)
}

function readWish(given: Fields, table: PinTable): Wish {
  const isBatch = given['items'] !== undefined
  refuseUnknown(given, isBatch ? [...WHOLE, 'action'] : [...WHOLE, ...ITEM], 'the wish')
  const network = given['network']
  if (typeof network !== 'string' || !Object.hasOwn(table.networks, network))
    throw new BadWish(`network must be one of ${Object.keys(table.networks).join(', ')}`)
  if (isBatch && given['action'] !== undefined && given['action'] !== 'batch')
    throw new BadWish('action must be batch, or be left out, beside items')
  const idOf = (name: string) => (given[name] === undefined ? undefined : toId(given[name], name))
  return {
    network,
    sender: idOf('sender'),
    effects: itemsOf(given, isBatch).map((item) => toEffect(item, table, network)),
    maxGas: toAmount(given['maxGas'] === undefined ? DEFAULT_MAX_GAS : given['maxGas'], 'maxGas'),
    gasOwner: idOf('sponsor'),
    expiresEpoch: toOptionalEpoch(given['expiresEpoch'], 'expiresEpoch'),
    atEpoch: toOptionalEpoch(given['atEpoch'], 'atEpoch'),
    calls: undefined,
    chain: undefined,
  }
}

function itemsOf(given: Fields, isBatch: boolean): readonly Fields[] {
  if (!isBatch) return [given]
  const { items } = given
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_ITEMS)
    throw new BadWish(`items must be a list of 1 to ${MAX_ITEMS} actions`)
  return items.map((item, at) => {
    const fields = toFields(item, `items[${at}]`)
    refuseUnknown(fields, ITEM, `items[${at}]`)
    return fields
  })
}

function toEffect(item: Fields, table: PinTable, network: string): Effect {
  const { action } = item
  if (action === 'stake') {
    refuseFields(item, ['stakedTokenId', 'positionId', 'stakedTokenIds', 'principal'], action)
    const validator = oneOf(item, 'validator', 'validatorId')
    return { action, validator: toId(validator, 'validator'), amount: toAmount(item['amount'], 'amount') }
  }
  if (action === 'join') return toJoin(item)
  if (action !== 'unstake' && action !== 'withdraw')
    throw new BadWish('action must be stake, unstake, withdraw or join')
  refuseFields(item, ['stakedTokenIds'], action)
  const stakedTokenId = toId(oneOf(item, 'stakedTokenId', 'positionId'), 'stakedTokenId')
  const amount = toPart(item)
  const paysAtOnce = table.networks[network]?.calls.unstake === undefined
  return { action: paysAtOnce ? 'withdraw' : action, stakedTokenId, amount }
}

/**
 * The amount to take; undefined: the whole token. A transaction that takes a whole token names no amount, and the amount
 * cannot be looked up offline, so the wish may state it as `principal`.
 */
function toPart({ amount, principal }: Fields): bigint | undefined {
  const [part, whole] = [amount, principal].map((given, at) =>
    given === undefined ? undefined : toAmount(given, at === 0 ? 'amount' : 'principal'),
  )
  if (part !== undefined && whole !== undefined && part > whole)
    throw new BadWish('amount must not be larger than principal, which is what the token holds')
  return part === whole ? undefined : part
}

function toJoin(item: Fields): Effect {
  refuseFields(
    item,
    ['validator', 'validatorId', 'stakedTokenId', 'positionId', 'amount', 'principal'],
    'join',
  )
  const { stakedTokenIds: ids } = item
  if (!Array.isArray(ids) || ids.length < 2 || ids.length > MAX_ITEMS)
    throw new BadWish(`stakedTokenIds must be a list of 2 to ${MAX_ITEMS} ids`)
  const stakedTokenIds = ids.map((id, at) => toId(id, `stakedTokenIds[${at}]`))
  if (new Set(stakedTokenIds).size < ids.length) throw new BadWish('stakedTokenIds must name each token once')
  return { action: 'join', stakedTokenIds }
}

/** Two fields for the same value must agree. */
function oneOf(item: Fields, name: string, other: string): unknown {
  const [first, second] = [item[name], item[other]]
  if (first !== undefined && second !== undefined && first !== second)
    throw new BadWish(`${name} and ${other} differ`)
  return first ?? second
}

function refuseFields(item: Fields, names: readonly string[], action: string): void {
  const set = names.find((name) => item[name] !== undefined)
  if (set !== undefined) throw new BadWish(`${set} has no meaning for ${action}`)
}

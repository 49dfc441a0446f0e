import { refusal } from '../../../fault.ts'
import type { Token } from '../staking/staked-token.ts'
import { repayLoan } from './accounts.ts'
import type { Holder } from './holder.ts'
import type { World } from './world.ts'

/** The maximum number of staked tokens: the state is stored as one text, which each change replaces as a whole. */
const MAX_TOKENS = 10_000

/** From this number on, tokens that nobody has used for `KEPT_DAYS` are dropped. */
const CROWDED_TOKENS = MAX_TOKENS / 2
const KEPT_DAYS = 30

/** A key may take 1/10 of the room that all others leave, so that a few keys never take all of it. */
const KEY_DIVISOR = 10
/** All keys of one network address together may take 1/5: anybody can get more keys. */
const NETWORK_DIVISOR = 5

type Use = { readonly holder: Holder | undefined; readonly size: number }

/** The room that is left for a key; negative: it has exceeded its share. `of` says whose share is the tighter one. */
export function roomFor(
  { agentId, networkId }: Holder,
  uses: Iterable<Use>,
  most: number,
): { readonly left: number; readonly of: 'key' | 'network' } {
  let [total, ofKey, ofNetwork] = [0, 0, 0]
  for (const { holder, size } of uses) {
    total += size
    if (holder?.agentId === agentId) ofKey += size
    if (holder && holder.networkId === networkId) ofNetwork += size
  }
  const left = (own: number, divisor: number) => Math.floor((most - (total - own)) / divisor) - own
  const [key, network] = [left(ofKey, KEY_DIVISOR), left(ofNetwork, NETWORK_DIVISOR)]
  return networkId === undefined || key <= network
    ? { left: key, of: 'key' }
    : { left: network, of: 'network' }
}

/** Refuses new tokens beyond the room of their keys. Without keys only the total is limited. */
export function refuseTooManyTokens(world: World, made: readonly Token[]): void {
  if (made.length === 0) return
  const holders = new Map(made.flatMap(({ holder }) => (holder ? [[holder.agentId, holder]] : [])))
  for (const holder of holders.values()) {
    if (world.tokens.size > CROWDED_TOKENS) dropUnused(world, holder.day - KEPT_DAYS)
    const uses = world.tokens.values().map((token) => ({ holder: token.holder, size: 1 }))
    const { left, of } = roomFor(holder, uses, MAX_TOKENS)
    if (left < 0) throw tooManyTokens(-left, of)
  }
  if (world.tokens.size > MAX_TOKENS) throw tooManyTokens(world.tokens.size - MAX_TOKENS, 'key')
}

/**
 * Drops tokens as if their owners had lost their keys: the stake stays with the validators, and the loans are
 * forgiven.
 */
function dropUnused(world: World, since: number): void {
  for (const { id, holder, principal } of world.tokens.values()) {
    if (holder === undefined || holder.day >= since) continue
    world.tokens.delete(id)
    repayLoan(world, holder.agentId, principal)
  }
}

function tooManyTokens(excess: number, of: 'key' | 'network') {
  const whose = of === 'key' ? 'this key' : 'the keys of your network address together'
  return refusal(
    'forbidden',
    `The sandbox has no room for so many staked tokens of ${whose}: ${excess} too many.`,
    'Join or withdraw some, or have the transaction make fewer.',
    { details: [{ field: 'commands', message: `make ${excess} staked tokens too many` }] },
  )
}

import type { PolicyRule } from '#ports/stores/policies.ts'
import { shareOf } from '../staking/stake-limits.ts'
import type { Facts, Found, Wish, WishItem } from './wish.ts'

/** Rules about where stake goes. Taking stake out is never held against a validator. */

type Rule<Name extends PolicyRule['rule']> = Extract<PolicyRule, { rule: Name }>

export const brokenByPlace = {
  validators: ({ allow, deny }: Rule<'validators'>, wish: Wish): readonly Found[] =>
    ofStakes(wish, ({ validatorId }) => {
      if (deny?.includes(validatorId))
        return { limit: `none of the ${deny.length} denied`, actual: validatorId }
      if (!allow || allow.includes(validatorId)) return undefined
      return { limit: `one of the ${allow.length} allowed`, actual: validatorId }
    }),
  minScore: ({ score }: Rule<'minScore'>, wish: Wish, { validator }: Facts): readonly Found[] =>
    ofStakes(wish, ({ validatorId }) => {
      const actual = validator(validatorId)?.score
      return actual !== undefined && actual >= score
        ? undefined
        : { limit: String(score), actual: String(actual ?? 'unknown') }
    }),
  maxCommission: (
    { commission }: Rule<'maxCommission'>,
    wish: Wish,
    { validator }: Facts,
  ): readonly Found[] =>
    ofStakes(wish, ({ validatorId }) => {
      const actual = validator(validatorId)?.commission
      return actual !== undefined && actual <= commission
        ? undefined
        : { limit: String(commission), actual: String(actual ?? 'unknown') }
    }),
}

function ofStakes(
  { items, isBatch }: Wish,
  look: (item: WishItem) => Pick<Found, 'limit' | 'actual'> | undefined,
): readonly Found[] {
  return items.flatMap((item, at) => {
    const found = item.action === 'stake' ? look(item) : undefined
    const field = isBatch ? `items[${at}].validatorId` : 'validatorId'
    return found ? [{ ...found, field, clearsAt: undefined }] : []
  })
}

const UNKNOWN = 'unknown: send `sender`'

/** No validator that receives stake may hold too large a part of what is staked then. */
export function brokenByShare({ share }: Rule<'maxShare'>, wish: Wish, { held }: Facts): readonly Found[] {
  const receiving = new Set(
    wish.items.flatMap(({ action, validatorId }) => (action === 'stake' ? [validatorId] : [])),
  )
  if (receiving.size === 0) return []
  const limit = String(share)
  if (!held) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const after = heldAfter(held, wish)
  const total = [...after.values()].reduce((sum, amount) => sum + amount, 0n)
  // Rounded as allocations are: what is advised under the rule keeps it.
  const most = shareOf(total, share)
  return [...receiving].flatMap((validatorId) => {
    const amount = after.get(validatorId) ?? 0n
    if (amount <= most) return []
    const part = Number((amount * 1_000_000n) / total) / 1_000_000
    return [{ limit, actual: `${part} with ${validatorId}`, clearsAt: undefined }]
  })
}

/** Who spreads, or takes everything out, does what the rule wants even before there are enough. */
export function brokenBySpread(
  { validators }: Rule<'minValidators'>,
  wish: Wish,
  { held }: Facts,
): readonly Found[] {
  if (!wish.items.some(({ action, leavesStake }) => action === 'stake' || leavesStake)) return []
  const limit = String(validators)
  if (!held) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const after = heldAfter(held, wish).size
  if (after === 0 || after >= validators || after > held.size) return []
  return [{ limit, actual: String(after), clearsAt: undefined }]
}

/** What is staked with whom once the transaction is through. */
function heldAfter(held: ReadonlyMap<string, bigint>, { items }: Wish): ReadonlyMap<string, bigint> {
  const after = new Map(held)
  for (const { action, validatorId, amount, leavesStake } of items) {
    if (action !== 'stake' && !leavesStake) continue
    const before = after.get(validatorId) ?? 0n
    const left = action === 'stake' ? before + amount : before - amount
    if (left > 0n) after.set(validatorId, left)
    else after.delete(validatorId)
  }
  return after
}

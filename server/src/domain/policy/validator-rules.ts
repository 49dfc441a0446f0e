import type { RuleOf } from '#ports/stores/policies.ts'
import type { Facts, Found, Wish, WishItem } from './wish.ts'

/** Rules about where stake goes. Taking stake out is never held against a validator. */

export const brokenByValidator = {
  validators: ({ allow, deny }: RuleOf<'validators'>, wish: Wish): readonly Found[] =>
    findInStakes(wish, ({ validatorId }) => {
      if (deny?.includes(validatorId))
        return { limit: `none of the ${deny.length} denied`, actual: validatorId }
      if (!allow || allow.includes(validatorId)) return undefined
      return { limit: `one of the ${allow.length} allowed`, actual: validatorId }
    }),
  minScore: ({ score }: RuleOf<'minScore'>, wish: Wish, { validator }: Facts): readonly Found[] =>
    findInStakes(wish, ({ validatorId }) => {
      const actual = validator(validatorId)?.score
      return actual !== undefined && actual >= score
        ? undefined
        : { limit: String(score), actual: String(actual ?? 'unknown') }
    }),
  maxCommission: (
    { commission }: RuleOf<'maxCommission'>,
    wish: Wish,
    { validator }: Facts,
  ): readonly Found[] =>
    findInStakes(wish, ({ validatorId }) => {
      const actual = validator(validatorId)?.commission
      return actual !== undefined && actual <= commission
        ? undefined
        : { limit: String(commission), actual: String(actual ?? 'unknown') }
    }),
}

function findInStakes(
  { items, isBatch }: Wish,
  findIn: (item: WishItem) => Pick<Found, 'limit' | 'actual'> | undefined,
): readonly Found[] {
  return items.flatMap((item, at) => {
    const found = item.action === 'stake' ? findIn(item) : undefined
    const field = isBatch ? `items[${at}].validatorId` : 'validatorId'
    return found ? [{ ...found, field, clearsAt: undefined }] : []
  })
}

import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import { ratioOf, shareOf } from '../staking/stake-limits.ts'
import { isStaked } from './reservations/new-stakes.ts'
import { type Unseen, unseenBuilds } from './unseen-builds.ts'
import type { Facts, Found, Wish } from './wish.ts'

/**
 * Rules about what the sender holds afterwards. They must be kept whatever becomes of the transactions that were built
 * before and are not on the chain yet: each of them may be carried out or not.
 */

type Rule<Name extends PolicyRule['rule']> = Extract<PolicyRule, { rule: Name }>
type Amounts = ReadonlyMap<string, bigint>

const UNKNOWN = 'unknown: send `sender`'

/** No validator that receives stake may hold too large a part of what is staked then. */
export function brokenByShare({ share }: Rule<'maxShare'>, wish: Wish, facts: Facts): readonly Found[] {
  const receiving = new Set(
    wish.items.flatMap(({ action, validatorId }) => (action === 'stake' ? [validatorId] : [])),
  )
  if (receiving.size === 0) return []
  const limit = String(share)
  const { tokens } = facts
  if (!tokens) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const held = heldIn(tokens)
  const isOver = ({ amount, total }: Part) => amount > shareOf(total, share)
  return [...receiving].flatMap((id) => {
    const largest = partOf(id, heldAfter(withAll(held, worstFor(id, share, unseen)), wish))
    if (!isOver(largest)) return []
    const part = Number((largest.amount * 1_000_000n) / largest.total) / 1_000_000
    const isByUnseen = !isOver(partOf(id, heldAfter(held, wish)))
    return [said(limit, `${part} with ${id}`, isByUnseen ? unseen : [])]
  })
}

type Part = { readonly amount: bigint; readonly total: bigint }

const partOf = (id: string, held: Amounts): Part => ({ amount: held.get(id) ?? 0n, total: sumOf(held) })

const sumOf = (amounts: Amounts): bigint => [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)

/** The part is largest when just those are carried out that add more to it than its share of what they add in all. */
function worstFor(id: string, share: number, unseen: readonly Unseen[]): readonly Unseen[] {
  const { over, under } = ratioOf(share)
  return unseen.filter(({ changes }) => (changes.get(id) ?? 0n) * under > sumOf(changes) * over)
}

/** More ways than those of so many transactions are not gone through one by one. */
const MOST_TRIED = 8

/** Who spreads, or takes everything out, does what the rule wants even before there are enough. */
export function brokenBySpread(
  { validators }: Rule<'minValidators'>,
  wish: Wish,
  facts: Facts,
): readonly Found[] {
  if (!wish.items.some(({ action, leavesStake }) => action === 'stake' || leavesStake)) return []
  const limit = String(validators)
  const { tokens } = facts
  if (!tokens) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const held = heldIn(tokens)
  const tooFew = (before: Amounts): readonly number[] => {
    const { size } = heldAfter(before, wish)
    return size === 0 || size >= validators || size > before.size ? [] : [size]
  }
  const broken =
    unseen.length > MOST_TRIED
      ? [fewestAfter(held, wish, unseen)].filter((size) => size < validators)
      : outcomes(held, unseen).flatMap(tooFew)
  if (broken.length === 0) return []
  return [said(limit, String(Math.min(...broken)), tooFew(held).length === 0 ? unseen : [])]
}

/** What the sender may hold, if each of these is carried out or not. */
function outcomes(held: Amounts, unseen: readonly Unseen[]): readonly Amounts[] {
  const states = [held]
  for (const one of unseen) states.push(...states.map((state) => withAll(state, [one])))
  return states
}

/** With how many validators stake lies at least: all that takes is carried out, and nothing that adds. */
function fewestAfter(held: Amounts, wish: Wish, unseen: readonly Unseen[]): number {
  const taken = unseen.flatMap(({ changes }) => [...changes].filter(([, amount]) => amount < 0n))
  return heldAfter(changed(held, taken), wish).size
}

function said(limit: string, actual: string, unseen: readonly Unseen[]): Found {
  if (unseen.length === 0) return { limit, actual, clearsAt: undefined }
  const clearsAt = Math.max(...unseen.map(({ settledAt }) => settledAt))
  return { limit, actual: `${actual}, with what was built and is not on the chain yet`, clearsAt }
}

/** Stake that was asked back is no longer with its validator. */
const heldIn = (tokens: readonly StakedToken[]): Amounts =>
  changed(
    new Map(),
    tokens.filter(isStaked).map(({ validatorId, principal }) => [validatorId, principal]),
  )

const withAll = (held: Amounts, unseen: readonly Unseen[]): Amounts =>
  changed(
    held,
    unseen.flatMap(({ changes }) => [...changes]),
  )

/** What is staked with whom once the transaction is through. */
const heldAfter = (held: Amounts, { items }: Wish): Amounts =>
  changed(
    held,
    items.flatMap(({ action, validatorId, amount, leavesStake }) => {
      if (action === 'stake') return [[validatorId, amount]]
      return leavesStake ? [[validatorId, -amount]] : []
    }),
  )

function changed(held: Amounts, changes: readonly (readonly [string, bigint])[]): Amounts {
  const after = new Map(held)
  for (const [id, change] of changes) {
    const left = (after.get(id) ?? 0n) + change
    if (left > 0n) after.set(id, left)
    else after.delete(id)
  }
  return after
}

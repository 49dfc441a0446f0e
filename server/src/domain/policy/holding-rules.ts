import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { RuleOf } from '#ports/stores/policies.ts'
import { ratioOf, shareOf } from '../staking/stake-limits.ts'
import { isStaked } from './reservations/new-stakes.ts'
import { receivedBy, type Unseen, unseenBuilds } from './unseen-builds.ts'
import type { Facts, Found, Wish } from './wish.ts'

/**
 * Rules about what the sender holds afterwards. They must hold for every outcome of the pending transactions (built, not
 * on the chain yet): each of them may be executed or not.
 */

type Amounts = ReadonlyMap<string, bigint>

const UNKNOWN = 'unknown: send `sender`'

/**
 * No validator that receives stake may exceed its share of the sender's stake, in whatever order this and the pending
 * transactions are executed. So an unstake elsewhere is also checked against stakes that may still come.
 */
export function brokenByShare({ share }: RuleOf<'maxShare'>, wish: Wish, facts: Facts): readonly Found[] {
  if (!changesStake(wish)) return []
  const limit = String(share)
  const { tokens } = facts
  if (!tokens) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const after = heldAfter(heldIn(tokens), wish)
  const isOver = ({ amount, total }: Part) => amount > shareOf(total, share)
  const largest = (id: string, open: readonly Unseen[]) =>
    worstCases(id, { share, wish, open })
      .map((worst) => partOf(id, withAll(after, worst)))
      .find(isOver)
  const ids = new Set([...receivedBy(wish.items), ...unseen.flatMap(({ receiving }) => [...receiving])])
  return [...ids].flatMap((id) => {
    const found = largest(id, unseen)
    if (!found) return []
    const part = Number((found.amount * 1_000_000n) / found.total) / 1_000_000
    return [
      foundWithClearTime(limit, `${part} with ${id}`, unseen, (open) => largest(id, open) !== undefined),
    ]
  })
}

const changesStake = ({ items }: Wish): boolean =>
  items.some(({ action, leavesStake }) => action === 'stake' || leavesStake)

type Part = { readonly amount: bigint; readonly total: bigint }

const partOf = (id: string, held: Amounts): Part => ({ amount: held.get(id) ?? 0n, total: sumOf(held) })

const sumOf = (amounts: Amounts): bigint => [...amounts.values()].reduce((sum, amount) => sum + amount, 0n)

type Together = { readonly share: number; readonly wish: Wish; readonly open: readonly Unseen[] }

/** The sets of pending transactions that maximise the share: for the wish's stakes, or for each stake it makes worse. */
function worstCases(id: string, { share, wish, open }: Together): readonly (readonly Unseen[])[] {
  const { over, under } = ratioOf(share)
  // Pending transactions that raise the validator's share.
  const raises = (changes: Amounts) => (changes.get(id) ?? 0n) * under > sumOf(changes) * over
  const raising = open.filter(({ changes }) => raises(changes))
  if (receivedBy(wish.items).has(id)) return [raising]
  if (!raises(changesIn(wish))) return []
  return open.filter(({ receiving }) => receiving.has(id)).map((stake) => [...new Set([stake, ...raising])])
}

/** Up to this many pending transactions, all combinations are tried. */
const MOST_TRIED = 8

/** Adding a validator or unstaking everything is allowed even while there are too few. */
export function brokenBySpread(
  { validators }: RuleOf<'minValidators'>,
  wish: Wish,
  facts: Facts,
): readonly Found[] {
  if (!changesStake(wish)) return []
  const limit = String(validators)
  const { tokens } = facts
  if (!tokens) return [{ limit, actual: UNKNOWN, field: 'sender', clearsAt: undefined }]
  const unseen = unseenBuilds(wish, { ...facts, tokens })
  const held = heldIn(tokens)
  const tooFew = (before: Amounts): readonly number[] => {
    const { size } = heldAfter(before, wish)
    return size === 0 || size >= validators || size > before.size ? [] : [size]
  }
  const sizes = (open: readonly Unseen[]) =>
    open.length > MOST_TRIED
      ? [fewestAfter(held, wish, open)].filter((size) => size < validators)
      : outcomes(held, open).flatMap(tooFew)
  const broken = sizes(unseen)
  if (broken.length === 0) return []
  return [foundWithClearTime(limit, String(Math.min(...broken)), unseen, (open) => sizes(open).length > 0)]
}

/** What the sender may hold, for each subset of these that is executed. */
function outcomes(held: Amounts, unseen: readonly Unseen[]): readonly Amounts[] {
  const states = [held]
  for (const one of unseen) states.push(...states.map((state) => withAll(state, [one])))
  return states
}

/** The fewest validators with stake: every pending unstake is executed, and no pending stake. */
function fewestAfter(held: Amounts, wish: Wish, unseen: readonly Unseen[]): number {
  const taken = unseen.flatMap(({ changes }) => [...changes].filter(([, amount]) => amount < 0n))
  return heldAfter(changed(held, taken), wish).size
}

/** The breach, with the time at which so many pending transactions have expired that the rest do not break the rule. */
function foundWithClearTime(
  limit: string,
  actual: string,
  unseen: readonly Unseen[],
  isBroken: (open: readonly Unseen[]) => boolean,
): Found {
  if (isBroken([])) return { limit, actual, clearsAt: undefined }
  const clearsAt = unseen
    .map(({ settledAt }) => settledAt)
    .toSorted((one, other) => one - other)
    .find((moment) => !isBroken(unseen.filter(({ settledAt }) => settledAt > moment)))
  return { limit, actual: `${actual}, with what was built and is not on the chain yet`, clearsAt }
}

/** Unstaked tokens no longer count for their validator. */
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

/** Stake by validator after the transaction. */
const heldAfter = (held: Amounts, wish: Wish): Amounts => changed(held, [...changesIn(wish)])

/** Change of stake by validator. */
function changesIn({ items }: Wish): Amounts {
  const changes = new Map<string, bigint>()
  for (const { action, validatorId, amount, leavesStake } of items) {
    if (action !== 'stake' && !leavesStake) continue
    changes.set(validatorId, (changes.get(validatorId) ?? 0n) + (action === 'stake' ? amount : -amount))
  }
  return changes
}

function changed(held: Amounts, changes: readonly (readonly [string, bigint])[]): Amounts {
  const after = new Map(held)
  for (const [id, change] of changes) {
    const left = (after.get(id) ?? 0n) + change
    if (left > 0n) after.set(id, left)
    else after.delete(id)
  }
  return after
}

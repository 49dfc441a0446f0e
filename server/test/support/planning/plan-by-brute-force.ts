import assert from 'node:assert/strict'
import { assuredPayout, partOfToken, tokenValue } from '#domain/staking/rebalance/held-token.ts'
import type { StakeOptions } from '#domain/staking/stake-options.ts'
import { TOKEN } from '../sample-network.ts'
import { type Asked, capsIn, GRID, worthIn } from './model-worth.ts'
import { sumOf } from './sum-of.ts'

/** Tolerance: the assured payout of tokens, and with it the coins kept liquid, is a little less than their value. */
const ROUNDING = 2_000n

/** In parts of the grid: `funds` may be staked, `mayRemain` of them need not. Caps must have room for `rest` as well. */
type Coins = { readonly funds: number; readonly mayRemain: number; readonly rest: bigint }

/**
 * The worth of the best plan that keeps all limits, by brute force: every token is unstaked in every part that the
 * network takes, and the coins are staked with other validators in every way. -Infinity if no plan keeps the limits.
 * Without `mayUnstake` only withdrawn tokens are staked. With `fully` unstaked coins may not stay idle, except for those
 * kept liquid and for rounding: limits must not be kept by leaving stake out.
 */
export function bestByBruteForce(
  market: StakeOptions,
  asked: Asked,
  { mayUnstake = true, fully = false } = {},
): number {
  const { tokens, liquid, maxTargets } = asked
  const { options } = market
  const caps = capsIn(asked)
  const worth = options.map(worthIn(market, asked))
  const idle = tokens.filter(({ withdrawEpoch }) => withdrawEpoch !== undefined)
  const staked = tokens.filter(({ withdrawEpoch }) => withdrawEpoch === undefined)
  const atHand = sumOf(idle.map((token) => assuredPayout(partOfToken(token, token.principal))))
  const indexOf = new Map(options.map(({ validatorId }, at) => [validatorId, at]))
  const held = options.map(({ validatorId }) =>
    sumOf(staked.filter((token) => token.validatorId === validatorId).map(tokenValue)),
  )
  const memberships = options.map(({ validatorId }) =>
    caps.groups.flatMap(({ validatorIds }, at) => (validatorIds.has(validatorId) ? [at] : [])),
  )
  const steps = Number(sumOf(tokens.map(tokenValue)) / GRID)
  /** By validator and number of grid parts: the gain of that stake where nothing leaves. */
  const added = worth.map((of) =>
    Array.from({ length: steps + 1 }, (_, part) => of(0, part * Number(GRID)) - of(0, 0)),
  )
  /** How many parts of the grid fit into the room below a cap. */
  const partsIn = (room: bigint): number => Number(room / GRID)
  const placing = new Map<string, number>()
  /** The largest gain of stakes of at most `funds`, with validators that nothing leaves. */
  const bestPlacing = (
    left: readonly bigint[],
    { funds, mayRemain, rest }: Coins,
    room: readonly bigint[],
  ): number => {
    const rooms = room.map((most) => partsIn(most - rest))
    const key = `${funds} ${mayRemain} ${rest} ${left.map((amount) => Number(amount > 0n)).join('')} ${rooms.join()}`
    const known = placing.get(key)
    if (known !== undefined) return known
    let best = Number.NEGATIVE_INFINITY
    const place = (from: number, coins: number, targets: number, gained: number): void => {
      if (coins <= mayRemain) best = Math.max(best, gained)
      if (targets === 0) return
      for (let at = from; at < options.length; at++) {
        if (!options[at]?.eligible || left[at] !== 0n) continue
        let most = Math.min(coins, partsIn(caps.each - (held[at] ?? 0n) - rest))
        const groups = memberships[at] ?? []
        for (const group of groups) most = Math.min(most, rooms[group] ?? 0)
        for (let part = 4; part <= most; part++) {
          for (const group of groups) rooms[group] = (rooms[group] ?? 0) - part
          place(at + 1, coins - part, targets - 1, gained + (added[at]?.[part] ?? assert.fail()))
          for (const group of groups) rooms[group] = (rooms[group] ?? 0) + part
        }
      }
    }
    place(0, funds, maxTargets, 0)
    placing.set(key, best)
    return best
  }
  let best = Number.NEGATIVE_INFINITY
  const choose = (index: number, leaving: readonly bigint[], coins: bigint): void => {
    const token = mayUnstake ? staked[index] : undefined
    if (token) {
      choose(index + 1, leaving, coins)
      const at = indexOf.get(token.validatorId) ?? assert.fail()
      for (let part = GRID * 4n; part <= token.principal; part += GRID) {
        if (part < token.principal && token.principal - part < TOKEN) continue
        const taken = partOfToken(token, part)
        const next = leaving.with(at, (leaving[at] ?? 0n) + tokenValue(taken))
        choose(index + 1, next, coins + assuredPayout(taken))
      }
      return
    }
    if (coins < liquid) return
    const stays = held.map((amount, at) => amount - (leaving[at] ?? 0n))
    if (stays.some((amount) => amount > caps.each)) return
    const room = caps.groups.map(({ most }, group) =>
      stays.reduce((left, amount, at) => (memberships[at]?.includes(group) ? left - amount : left), most),
    )
    if (room.some((left) => left < 0n)) return
    const staying = worth.reduce((sum, of, at) => sum + of(Number(leaving[at] ?? 0n), 0), 0)
    const [funds, rest] = [Number((coins - liquid) / GRID), (coins - liquid) % GRID]
    const surplus = (atHand > liquid ? atHand - liquid : 0n) + ROUNDING - rest
    if (fully && surplus < 0n) return
    const placed = fully
      ? { funds, mayRemain: Number(surplus / GRID), rest }
      : { funds, mayRemain: funds, rest: 0n }
    best = Math.max(best, staying + bestPlacing(leaving, placed, room))
  }
  choose(
    0,
    options.map(() => 0n),
    atHand,
  )
  return best
}

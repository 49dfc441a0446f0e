import assert from 'node:assert/strict'
import {
  assumedToken,
  assuredPayout,
  type HeldToken,
  partOfToken,
  tokenValue,
} from '#domain/staking/rebalance/held-token.ts'
import type { RebalancePlan } from '#domain/staking/rebalance/plan-rebalance.ts'
import { movesForFree, switchingCost } from '#domain/staking/rebalance/switching-rules.ts'
import { scoreValidators } from '#domain/staking/scoring/score.ts'
import { rewardOf } from '#domain/staking/solver/reward-curve.ts'
import { type StakeGroup, shareOf } from '#domain/staking/stake-limits.ts'
import {
  curveAt,
  type StakeOption,
  type StakeOptions,
  stakeOptionsOf,
} from '#domain/staking/stake-options.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../sample-network.ts'

/** All amounts of the search by hand are multiples of this. */
export const GRID = TOKEN / 4n
/** What is sure to be paid of tokens is a little less than their value, and so is what is kept liquid then. */
const ROUNDING = 2_000n
export const sumOf = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((sum, amount) => sum + amount, 0n)

export function marketOf(count: number, seed: number): StakeOptions {
  const validators = variedValidators(count, seed).map((one) => ({ ...one, firstEpoch: 92 }))
  const { snapshot, records } = sampleNetwork(validators)
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

export type Drawn = {
  readonly at: number
  readonly quarters: number
  readonly percent: number
  readonly state: 'active' | 'pending' | 'withdrawing' | 'withdrawable'
}

export function tokensOf({ options, epoch }: StakeOptions, drawn: readonly Drawn[]): readonly HeldToken[] {
  const { number } = epoch
  return drawn.map(({ at, quarters, percent, state }, index): HeldToken => {
    const principal = BigInt(quarters) * GRID
    const validatorId = options[at % options.length]?.validatorId ?? ''
    const token = assumedToken({ stakedTokenId: `t${index}`, validatorId, principal })
    if (state === 'pending') return { ...token, activationEpoch: number + 1 }
    const rewards = (principal * BigInt(percent)) / 100n
    const withdrawEpoch = { active: undefined, withdrawing: number + 1, withdrawable: number }[state]
    return { ...token, rewards, withdrawEpoch }
  })
}

export type Asked = {
  readonly tokens: readonly HeldToken[]
  readonly liquid: bigint
  readonly maxTargets: number
  readonly riskAversion: number
  readonly maxShare?: number
  readonly groups?: readonly StakeGroup[]
}

type Caps = {
  readonly each: bigint
  readonly groups: readonly { readonly validatorIds: ReadonlySet<string>; readonly most: bigint }[]
}

/** The most that each validator and each group may hold: parts of what is not kept liquid. */
export function capsIn({ tokens, liquid, maxShare = 1, groups = [] }: Asked): Caps {
  const total = sumOf(tokens.map(tokenValue))
  const staked = total > liquid ? total - liquid : 0n
  return {
    each: maxShare < 1 ? shareOf(staked, maxShare) : total,
    groups: groups.map(({ validatorIds, maxShare }) => ({ validatorIds, most: shareOf(staked, maxShare) })),
  }
}

/** What the model says any stake is worth per year: the terms of docs/allocation.md, written down once more. */
function worthIn(market: StakeOptions, asked: Asked) {
  const { tokens, riskAversion } = asked
  const cost = switchingCost(market)
  const total = Number(sumOf(tokens.map(tokenValue)))
  const staked = tokens.filter(({ withdrawEpoch }) => withdrawEpoch === undefined)
  const isFree = (token: HeldToken, option: StakeOption) => movesForFree(token, option, market, cost)
  const held = (option: StakeOption) => staked.filter((token) => token.validatorId === option.validatorId)
  const costly = market.options.some((option) => held(option).some((token) => !isFree(token, option)))
  const waits = tokens.some(({ withdrawEpoch = 0 }) => withdrawEpoch > market.epoch.number)
  const arrival = costly || waits ? cost.arrival : 1
  const most = Number(capsIn(asked).each)
  /** Of a validator, with what leaves it (tokens that are free to move first) and what arrives. */
  return (option: StakeOption) => {
    const mine = Number(sumOf(held(option).map(tokenValue)))
    const free = held(option).filter((token) => isFree(token, option))
    const others = Math.max(1, Number(option.stake) - mine)
    const curve = curveAt(market.pool, option, others, market.pool.totalStake)
    const reward = (x: number) => rewardOf(curve, x)
    const bottom = mine - Number(sumOf(free.map(tokenValue)))
    // What is beyond the limits counts nothing.
    const meanwhile = (1 - arrival) * (reward(Math.min(mine, most)) - reward(Math.min(bottom, most)))
    return (leaves: number, arrives: number): number => {
      const stays = mine - leaves
      const stable = Math.min(stays, bottom)
      const whole = stays + arrives
      const risk = ((riskAversion / total) * option.variance * whole ** 2) / 2
      return reward(stable) + arrival * (reward(whole) - reward(stable)) + meanwhile - risk
    }
  }
}

/** In parts of the grid: what may be staked, and how much of it need not be. A `rest` must have room beside any stake. */
type Coins = { readonly funds: number; readonly mayRemain: number; readonly rest: bigint }

/**
 * The worth of the best plan that keeps all limits, found by trying all: every token is unstaked in every part that the
 * network takes, and the coins are staked with other validators in every way. Without `mayUnstake` only withdrawn tokens
 * are staked. With `fully`, what leaves a validator is kept liquid or staked, but for what rounding takes: limits say where
 * stake may lie, not that it shall earn nothing. -Infinity when none keeps the limits.
 */
export function bestByHand(
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
  /** What so many parts of the grid add to a validator that nothing leaves. */
  const added = worth.map((of) =>
    Array.from({ length: steps + 1 }, (_, part) => of(0, part * Number(GRID)) - of(0, 0)),
  )
  /** The parts of the grid that have room below a cap. */
  const partsIn = (room: bigint): number => Number(room / GRID)
  const placing = new Map<string, number>()
  /** The most that stakes of at most `funds` add, with validators that nothing leaves. */
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

/** What the steps of a plan take out of each validator and stake there. */
function flowsOf({ options }: StakeOptions, { steps }: RebalancePlan) {
  const amounts = (action: string, id: string) =>
    steps
      .filter((step) => step.action === action && step.validatorId === id)
      .map(({ amount, rewards = 0n }) => amount + rewards)
  return options.map((option) => ({
    option,
    leaves: sumOf(amounts('unstake', option.validatorId)),
    arrives: sumOf(amounts('stake', option.validatorId)),
  }))
}

/** What the steps of a plan are worth by the same terms. */
export function worthOfPlan(market: StakeOptions, asked: Asked, plan: RebalancePlan): number {
  const worth = worthIn(market, asked)
  return flowsOf(market, plan).reduce(
    (sum, { option, leaves, arrives }) => sum + worth(option)(Number(leaves), Number(arrives)),
    0,
  )
}

/** By how much a plan leaves more than they may hold with single validators and in groups, at most. */
export function excessOf(market: StakeOptions, asked: Asked, plan: RebalancePlan): bigint {
  const { each, groups } = capsIn(asked)
  const staked = asked.tokens.filter(({ withdrawEpoch }) => withdrawEpoch === undefined)
  const after = flowsOf(market, plan).map(({ option: { validatorId }, leaves, arrives }) => {
    const held = sumOf(staked.filter((token) => token.validatorId === validatorId).map(tokenValue))
    return { validatorId, amount: held - leaves + arrives }
  })
  const beyond = [
    ...after.map(({ amount }) => amount - each),
    ...groups.map(
      ({ validatorIds, most }) =>
        sumOf(after.filter(({ validatorId }) => validatorIds.has(validatorId)).map(({ amount }) => amount)) -
        most,
    ),
  ]
  return beyond.reduce((most, excess) => (excess > most ? excess : most), 0n)
}

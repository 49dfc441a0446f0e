import { assumedToken, type HeldToken, tokenValue } from '#domain/staking/rebalance/held-token.ts'
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
import { sumOf } from './sum-of.ts'

/** All amounts of the brute-force search are multiples of this. */
export const GRID = TOKEN / 4n
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

/** The most that each validator and each group may hold: shares of what is not kept liquid. */
export function capsIn({ tokens, liquid, maxShare = 1, groups = [] }: Asked): Caps {
  const total = sumOf(tokens.map(tokenValue))
  const staked = total > liquid ? total - liquid : 0n
  return {
    each: maxShare < 1 ? shareOf(staked, maxShare) : total,
    groups: groups.map(({ validatorIds, maxShare }) => ({ validatorIds, most: shareOf(staked, maxShare) })),
  }
}

/** A second implementation of the model in docs/allocation.md: the yearly worth of any stake. */
export function worthIn(market: StakeOptions, asked: Asked) {
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
  /** The worth with one validator after `leaves` (tokens that are free to move first) and `arrives`. */
  return (option: StakeOption) => {
    const mine = Number(sumOf(held(option).map(tokenValue)))
    const free = held(option).filter((token) => isFree(token, option))
    const others = Math.max(1, Number(option.stake) - mine)
    const curve = curveAt(market.pool, option, others, market.pool.totalStake)
    const reward = (x: number) => rewardOf(curve, x)
    const bottom = mine - Number(sumOf(free.map(tokenValue)))
    // Stake beyond the cap is worth nothing.
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

/** The amounts that the steps of a plan unstake from each validator and stake with it. */
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

/** The worth of a plan in the same model. */
export function worthOfPlan(market: StakeOptions, asked: Asked, plan: RebalancePlan): number {
  const worth = worthIn(market, asked)
  return flowsOf(market, plan).reduce(
    (sum, { option, leaves, arrives }) => sum + worth(option)(Number(leaves), Number(arrives)),
    0,
  )
}

/** The largest excess over the cap of a validator or group after a plan; 0 if it keeps all caps. */
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

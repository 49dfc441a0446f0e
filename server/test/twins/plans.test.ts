import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planRebalance, type RebalancePlan } from '#domain/staking/rebalance/plan-rebalance.ts'
import { readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { runs } from '../support/split-problems.ts'
import { followPlan, stakeWorth, viewOf } from './follow-plan.ts'
import { EPOCH_MS, type MemoryChain } from './memory-chain.ts'
import { chainWithHolders, type Luck, soon } from './random-holders.ts'

/** `TEST_TIMEOUT_MS=3600000 PROPERTY_RUNS=25 npm test -- twins` makes these 1,000. */
const HOLDERS = runs(40).numRuns
const HORIZON = 60
const EPOCHS_PER_YEAR = 31_536_000_000 / EPOCH_MS

async function planFor(chain: MemoryChain, owner: string): Promise<RebalancePlan> {
  const view = await viewOf(chain)
  const market = stakeOptionsOf(view.snapshot, view.scored)
  const { tokens } = await readHeldTokens({ chain })({ kind: 'owner', owner }, view, soon())
  return planRebalance(market, { tokens, maxTargets: 10 })
}

/** Yearly growth, compounded, in percent. */
const apyOf = (from: bigint, to: bigint, epochs: number): number =>
  100 * ((Number(to) / Number(from)) ** (EPOCHS_PER_YEAR / epochs) - 1)

type Outcome = { readonly gained: number; readonly projected: number; readonly realised: number }

/** Follows the plan of one holder to the letter, to the end of the horizon, beside a twin that stays. */
async function follow(base: MemoryChain, stayer: MemoryChain, owner: string): Promise<Outcome | undefined> {
  const { calls, summary } = await planFor(base, owner)
  if (calls.length === 0) return undefined
  const started = base.world().epoch
  const complete = started + summary.estimatedEpochsToComplete
  const end = started + HORIZON
  const follower = base.fork()
  const { coins } = await followPlan(follower, owner, calls)
  await advanceTo(follower, complete)
  const atCompletion = await stakeWorth(follower, owner)
  await advanceTo(follower, end)
  const inTheEnd = await stakeWorth(follower, owner)
  const stayed = await stakeWorth(stayer, owner)
  return {
    gained: Number(inTheEnd + coins - stayed) / Number(stayed),
    projected: summary.projectedWeightedApy,
    realised: apyOf(atCompletion, inTheEnd, end - complete),
  }
}

const advanceTo = (chain: MemoryChain, epoch: number): Promise<unknown> =>
  chain.advance(epoch - chain.world().epoch)

async function followAll(count: number, seed: number, luck: Luck): Promise<readonly Outcome[]> {
  const { chain, owners } = await chainWithHolders(count, seed, luck)
  const outcomes: Outcome[] = []
  for (const isLate of [false, true]) {
    if (isLate) chain.passMiddle()
    const stayer = chain.fork()
    await advanceTo(stayer, chain.world().epoch + HORIZON)
    for (const [index, owner] of owners.entries()) {
      if ((index % 2 === 1) !== isLate) continue
      const outcome = await follow(chain, stayer, owner)
      if (outcome) outcomes.push(outcome)
    }
  }
  return outcomes
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

test('following a plan to the letter is never worse than staying, and earns what was projected', async (t) => {
  const outcomes = await followAll(HOLDERS, 7, 'none')
  const worst = Math.min(...outcomes.map(({ gained }) => gained))
  const errors = outcomes.map(({ projected, realised }) => realised / projected - 1)
  t.diagnostic(
    `${outcomes.length} of ${HOLDERS} were to move; they gained ${(1e4 * worst).toFixed(2)} bp or more; realised / projected − 1 from ${Math.min(...errors).toFixed(4)} to ${Math.max(...errors).toFixed(4)}`,
  )
  assert(outcomes.length > HOLDERS / 4)
  assert(worst > 0)
  for (const error of errors) assert(Math.abs(error) < 0.02, `${error}`)
})

test('with validators that fail now and then, plans still gain and keep their promise on average', async (t) => {
  const outcomes = await followAll(HOLDERS, 11, 'as it comes')
  const worse = outcomes.filter(({ gained }) => gained < 0)
  const error = mean(outcomes.map(({ projected, realised }) => realised / projected)) - 1
  const gained = mean(outcomes.map(({ gained }) => gained))
  t.diagnostic(
    `${worse.length} of ${outcomes.length} fared worse by chance; mean gain ${(1e4 * gained).toFixed(1)} bp over the horizon; realised / projected − 1 on average ${error.toFixed(4)}`,
  )
  assert(gained > 0)
  assert(worse.length <= outcomes.length / 10)
  assert(Math.abs(error) < 0.02, `${error}`)
})

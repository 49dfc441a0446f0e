import type { NetworkView } from '#domain/network/network-view.ts'
import { planRebalance, type RebalancePlan } from '#domain/staking/rebalance/plan-rebalance.ts'
import { readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { followPlan, stakeWorth, viewOf } from './follow-plan.ts'
import { EPOCH_MS, type MemoryChain } from './memory-chain.ts'
import { chainWithHolders, type Luck, soon } from './random-holders.ts'

/** How many epochs holders are followed for. */
export const HORIZON = 60
const EPOCHS_PER_YEAR = 31_536_000_000 / EPOCH_MS

/** Result of one holder that follows its rebalance plan, compared with a twin that keeps its stake where it is. */
export type Outcome = {
  /** Final worth relative to the twin's: 0.01 means 1% more. */
  readonly gained: number
  /** Yearly yield in percent from the completion of the plan on, as the plan projects it. */
  readonly projected: number
  /** The same yield, as measured. */
  readonly realised: number
}

async function planFor(chain: MemoryChain, owner: string, view: NetworkView): Promise<RebalancePlan> {
  const market = stakeOptionsOf(view.snapshot, view.scored)
  const { tokens } = await readHeldTokens({ chain })({ kind: 'owner', owner }, view, soon())
  return planRebalance(market, { tokens, maxTargets: 10 })
}

/** Yearly growth, compounded, in percent. */
const apyOf = (from: bigint, to: bigint, epochs: number): number =>
  100 * ((Number(to) / Number(from)) ** (EPOCHS_PER_YEAR / epochs) - 1)

/** Carries out the holder's plan exactly, up to the horizon. `undefined`: the plan has no calls. */
async function follow(
  base: MemoryChain,
  view: NetworkView,
  stayer: MemoryChain,
  owner: string,
): Promise<Outcome | undefined> {
  const { calls, summary } = await planFor(base, owner, view)
  if (calls.length === 0) return undefined
  const started = base.world().epoch
  const complete = started + summary.estimatedEpochsToComplete
  const end = started + HORIZON
  const follower = base.fork()
  const { coins } = await followPlan(follower, owner, { calls, view })
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

/** Every second holder plans after the middle of the epoch. A holder whose plan has no calls has no outcome. */
export async function followAll(
  options: { readonly holders: number; readonly seed: number; readonly luck: Luck },
  onProgress: (done: number) => void = () => undefined,
): Promise<readonly Outcome[]> {
  const { chain, owners } = await chainWithHolders(options.holders, options.seed, options.luck)
  const outcomes: Outcome[] = []
  let done = 0
  for (const isLate of [false, true]) {
    if (isLate) chain.passMiddle()
    const view = await viewOf(chain)
    const stayer = chain.fork()
    await advanceTo(stayer, chain.world().epoch + HORIZON)
    for (const [index, owner] of owners.entries()) {
      if ((index % 2 === 1) !== isLate) continue
      const outcome = await follow(chain, view, stayer, owner)
      if (outcome) outcomes.push(outcome)
      onProgress(++done)
    }
  }
  return outcomes
}

import type { Client } from '@stakewright/client'
import { expectedPayout } from '../../examples/payout-model.ts'
import { EPOCHS_PER_YEAR, openSandboxWorld } from './sandbox-world.ts'
import { type FollowedPlan, openWallet, type Part, type Position, type Wallet } from './wallet.ts'

const OWNER = `0x${'a7'.repeat(32)}`
const TOKEN = 1_000_000_000n
const COUNT = 5

export type Scene = {
  readonly seed: number
  /** Whole tokens. */
  readonly tokens: bigint
  /** The epochs for which the stake is active. */
  readonly epochs: number
}

/** The projected and the realised yields of a split: percent a year, compounded. */
export type RehearsedSplit = {
  readonly name: string
  /** From `allocate`, before anything is staked. Undefined for splits that `allocate` did not make. */
  readonly promisedApy: number | undefined
  /** From `rebalance-plan`, with the stake in the pools. */
  readonly projectedApy: number
  readonly realisedApy: number
  /** The share of stake and time that was unpaid because the validator missed the epoch. */
  readonly missedShare: number
}

type Choice = { readonly parts: readonly Part[]; readonly promisedApy?: number }
type Chooser = (agent: Client, amount: bigint) => Promise<Choice>

const SPLITS: Readonly<Record<string, Chooser>> = {
  'ours (allocate)': allocated,
  'the same five, equal parts': async (agent, amount) => {
    const { parts } = await allocated(agent, amount)
    const ids = parts.map(({ validatorId }) => validatorId)
    return { parts: equalParts(ids, amount) }
  },
  'five highest quotes, equal parts': async (agent, amount) => ({
    parts: equalParts((await byQuote(agent)).slice(0, COUNT), amount),
  }),
  'all into the highest quote': async (agent, amount) => ({
    parts: equalParts((await byQuote(agent)).slice(0, 1), amount),
  }),
}

/** Runs each split in a world of its own: in a shared one, each would dilute the others. */
export async function rehearseSplits(scene: Scene): Promise<readonly RehearsedSplit[]> {
  const rehearsed: RehearsedSplit[] = []
  for (const [name, choose] of Object.entries(SPLITS))
    rehearsed.push(await rehearseSplit(scene, name, choose))
  return rehearsed
}

async function rehearseSplit(
  { seed, tokens, epochs }: Scene,
  name: string,
  choose: Chooser,
): Promise<RehearsedSplit> {
  await using world = await openSandboxWorld(seed)
  const { agent } = world
  const amount = tokens * TOKEN
  const wallet = openWallet(agent, OWNER, amount)
  const { parts, promisedApy } = await choose(agent, amount)
  await wallet.stake(parts)
  const plan = await planFor(agent, wallet)
  await agent.sandboxAdvance({ epochs: 1 + epochs })
  return {
    name,
    promisedApy,
    projectedApy: plan.summary.currentWeightedApy,
    realisedApy: realisedApy(await wallet.positions(), epochs),
    missedShare: await missedShare(agent, parts, epochs),
  }
}

async function missedShare(agent: Client, parts: readonly Part[], epochs: number): Promise<number> {
  const total = parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  let share = 0
  for (const { validatorId, amount } of parts) {
    const { data } = await agent.validatorApyHistory({ id: validatorId, period: 'all', limit: epochs })
    const missed = data.filter(({ performed }) => performed === false).length
    share += (Number(amount) / Number(total)) * (missed / epochs)
  }
  return share
}

/** The projected and realised results of a followed plan, and of a twin that keeps its stake where it is. */
export type RehearsedPlan = {
  readonly steps: number
  readonly estimatedEpochs: number
  readonly followed: FollowedPlan
  readonly staying: { readonly projectedApy: number; readonly realisedApy: number }
  readonly moving: { readonly projectedApy: number; readonly realisedApy: number }
  /** Computed from the published exchange rates alone, exact to the unit. */
  readonly expectedPayouts: readonly bigint[]
  /** The staked principal when the plan is complete. */
  readonly principal: bigint
  /** Epochs after the plan until the mover is worth more than the stayer: projected and observed. */
  readonly breakEven: { readonly said: number; readonly seen: number | undefined }
}

/** Mover and stayer both start in the five lowest quotes; only the mover follows the plan. */
export async function rehearsePlan(scene: Scene & { readonly late?: boolean }): Promise<RehearsedPlan> {
  await using mover = await openPoorlyPlaced(scene)
  await using stayer = await openPoorlyPlaced(scene)
  const plan = await planFor(mover.agent, mover.wallet)
  const followed = await mover.wallet.follow(plan)
  const expectedPayouts: bigint[] = []
  for (const payout of followed.payouts) expectedPayouts.push(await expectedPayout(mover.agent, payout))
  const complete = followed.completeAtEpoch
  await advanceTo(mover.agent, complete)
  await advanceTo(stayer.agent, complete)
  const before = { moved: await mover.wallet.positions(), stayed: await stayer.wallet.positions() }
  let seen: number | undefined
  for (let epoch = complete; epoch < complete + scene.epochs; epoch++) {
    if ((await mover.wallet.worth()) > (await stayer.wallet.worth())) seen ??= epoch - plan.epoch
    await advanceTo(mover.agent, epoch + 1)
    await advanceTo(stayer.agent, epoch + 1)
  }
  const grown = { moved: await mover.wallet.positions(), stayed: await stayer.wallet.positions() }
  const { summary } = plan
  return {
    steps: plan.steps.length,
    estimatedEpochs: summary.estimatedEpochsToComplete,
    followed,
    expectedPayouts,
    principal: before.moved.reduce((sum, { principal }) => sum + BigInt(principal), 0n),
    staying: {
      projectedApy: summary.currentWeightedApy,
      realisedApy: growthApy(before.stayed, grown.stayed, scene.epochs),
    },
    moving: {
      projectedApy: summary.projectedWeightedApy,
      realisedApy: growthApy(before.moved, grown.moved, scene.epochs),
    },
    breakEven: { said: summary.breakEvenEpochs ?? 0, seen },
  }
}

async function openPoorlyPlaced({ seed, tokens, late = false }: Scene & { readonly late?: boolean }) {
  await using opened = new AsyncDisposableStack()
  const world = opened.use(await openSandboxWorld(seed))
  const { agent } = world
  const amount = tokens * TOKEN
  const wallet = openWallet(agent, OWNER, amount)
  await wallet.stake(equalParts((await byQuote(agent)).slice(-COUNT), amount))
  await agent.sandboxAdvance({ epochs: 5 })
  if (late) await world.passMiddleOfEpoch()
  const resources = opened.move()
  return { agent, wallet, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function advanceTo(agent: Client, wanted: number): Promise<void> {
  const { epoch } = await agent.epoch()
  if (wanted > epoch) await agent.sandboxAdvance({ epochs: wanted - epoch })
}

async function planFor(agent: Client, wallet: Wallet) {
  const positions = (await wallet.positions()).map(({ stakedTokenId, validatorId, principal }) => ({
    stakedTokenId,
    validatorId,
    principal,
  }))
  return agent.planRebalance({ positions })
}

async function allocated(agent: Client, amount: bigint): Promise<Choice> {
  const answer = await agent.allocate({ amount: String(amount), maxValidators: COUNT })
  return { parts: answer.allocations, promisedApy: answer.totalProjectedApy }
}

/** Active validators, the highest quoted APY first. */
async function byQuote(agent: Client): Promise<readonly string[]> {
  const { data } = await agent.validators()
  return data
    .filter(({ status, apy }) => status === 'active' && apy !== null)
    .toSorted((a, b) => (b.apy ?? 0) - (a.apy ?? 0))
    .map(({ id }) => id)
}

function equalParts(ids: readonly string[], amount: bigint): readonly Part[] {
  const each = amount / BigInt(ids.length)
  const rest = amount - each * BigInt(ids.length)
  return ids.map((validatorId, at) => ({ validatorId, amount: String(at === 0 ? each + rest : each) }))
}

function realisedApy(positions: readonly Position[], epochs: number): number {
  const fresh = positions.map((one) => ({ ...one, rewards: '0' }))
  return growthApy(fresh, positions, epochs)
}

/** The growth of each stake compounded to a year, weighted by its value before, like the projection. */
function growthApy(before: readonly Position[], after: readonly Position[], epochs: number): number {
  const worth = ({ principal, rewards }: Position) => Number(BigInt(principal) + BigInt(rewards))
  const later = new Map(after.map((one) => [one.stakedTokenId, worth(one)]))
  const total = before.reduce((sum, one) => sum + worth(one), 0)
  return before.reduce((sum, one) => {
    const growth = (later.get(one.stakedTokenId) ?? 0) / worth(one)
    return sum + (worth(one) / total) * 100 * (growth ** (EPOCHS_PER_YEAR / epochs) - 1)
  }, 0)
}

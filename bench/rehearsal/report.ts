import { type PlottedSplit, plotRehearsals } from './plot.ts'
import { plotSplit } from './plot-split.ts'
import { type RehearsedPlan, type RehearsedSplit, rehearsePlan, rehearseSplits } from './rehearse.ts'
import { openSandboxWorld } from './sandbox-world.ts'

const AMOUNTS = [1_000_000n, 20_000_000n]
const PLANNED = 20_000_000n

/** Prints projected and realised APYs on the simulated chains of several seeds; returns them as an SVG. */
export async function reportRehearsals(seeds: number, epochs: number): Promise<string> {
  const splits: PlottedSplit[] = []
  const all = Array.from({ length: seeds }, (_, index) => index + 1)
  console.log(`Splits, ${epochs} epochs of a day at work; APY in percent`)
  console.log(
    'seed |     tokens | split                            | promised | projected | realised | ratio | epochs missed',
  )
  for (const seed of all) {
    for (const tokens of AMOUNTS) {
      const rehearsed = await rehearseSplits({ seed, tokens, epochs })
      for (const one of rehearsed) console.log(splitLine(seed, tokens, one))
      splits.push(...rehearsed.map((one) => ({ ...one, seed, tokens })))
    }
  }
  console.log(`\nPlans out of the five lowest quotes, followed step by step; ${PLANNED} tokens`)
  console.log(
    'seed | asked for      | steps | epochs: said, took | stay: projected, realised | move: projected, realised | break-even: said, seen',
  )
  for (const seed of all) {
    for (const late of [false, true]) {
      console.log(planLine(seed, late, await rehearsePlan({ seed, tokens: PLANNED, epochs, late })))
    }
  }
  return plotRehearsals(splits, `APY projected, and realised over ${epochs} epochs of a day in the sandbox`)
}

/** Draws the marginal rates behind the split of `PLANNED` tokens on the chain of seed 1. */
export async function drawSplit(): Promise<string> {
  await using world = await openSandboxWorld(1)
  const amount = `${PLANNED}${'0'.repeat(9)}`
  const split = await world.agent.allocate({ amount, maxValidators: 5, explain: true })
  return plotSplit(
    split,
    `What one more token earns a year: ${PLANNED.toLocaleString('en')} tokens, five validators`,
  )
}

function splitLine(seed: number, tokens: bigint, { name, ...split }: RehearsedSplit): string {
  return [
    String(seed).padStart(4),
    String(tokens).padStart(10),
    name.padEnd(32),
    (split.promisedApy?.toFixed(2) ?? '–').padStart(8),
    split.projectedApy.toFixed(2).padStart(9),
    split.realisedApy.toFixed(2).padStart(8),
    (split.realisedApy / (split.promisedApy ?? split.projectedApy)).toFixed(3),
    `${(100 * split.missedShare).toFixed(1)} %`,
  ].join(' | ')
}

function planLine(
  seed: number,
  late: boolean,
  { followed, staying, moving, ...plan }: RehearsedPlan,
): string {
  const took = followed.completeAtEpoch - followed.startedAtEpoch
  const pair = (a: number, b: number) => `${a.toFixed(2)}, ${b.toFixed(2)}`
  return [
    String(seed).padStart(4),
    (late ? 'after mid-epoch' : 'before it').padEnd(14),
    String(plan.steps).padStart(5),
    `${plan.estimatedEpochs}, ${took}`.padEnd(18),
    pair(staying.projectedApy, staying.realisedApy).padEnd(25),
    pair(moving.projectedApy, moving.realisedApy).padEnd(25),
    `${plan.breakEven.said}, ${plan.breakEven.seen ?? 'never'}`,
  ].join(' | ')
}

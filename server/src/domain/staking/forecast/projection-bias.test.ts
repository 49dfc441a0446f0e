import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import { memoryStates } from '../../../../test/sandbox/test-chain.ts'
import { DAY_MS } from '../../../durations.ts'
import { median } from '../../network/median.ts'
import { measureValidators } from '../scoring/score.ts'
import { realisedRate } from './past-errors.ts'
import { type PastRates, projectAt, projectedRates } from './past-market.ts'

const EPOCHS = 40

/** The projections at the start of each epoch, and the records of the chain at the end. */
async function watchSandbox(seed: number) {
  const clock = { now: () => 1_800_000_000_000 }
  const chain = await openSandboxChain({ seed, epochMs: DAY_MS, clock, states: memoryStates() })
  const never = new AbortController().signal
  const read = async () => ({
    snapshot: await chain.readSnapshot(never),
    records: Map.groupBy(await chain.readEpochs(0, never), ({ validatorId }) => validatorId),
  })
  const projected = new Map<number, PastRates>()
  for (let done = 0; done < EPOCHS; done++) {
    const { snapshot, records } = await read()
    projected.set(snapshot.epoch.number, projectedRates(snapshot, measureValidators(snapshot, records)))
    await chain.advance(1)
  }
  return { projected, ...(await read()) }
}

/** The mean of paid / projected, minus 1, in percent. */
function biasOf(
  projected: ReadonlyMap<number, PastRates>,
  records: ReadonlyMap<string, readonly EpochRecord[]>,
  horizon: number,
): number {
  const newest = Math.max(...projected.keys())
  let [sum, count] = [0, 0]
  for (const [epoch, rates] of projected) {
    if (epoch + horizon > newest + 1) continue
    for (const [id, rate] of rates) {
      const paid = realisedRate(records.get(id) ?? [], epoch, horizon, 365)
      if (paid === undefined) continue
      sum += paid / (365 * Math.log1p(rate / 365))
      count++
    }
  }
  assert(count > 500)
  return 100 * (sum / count - 1)
}

for (const seed of [1, 2, 3, 4]) {
  test(`projections of the sandbox have a mean error below 0.3% (seed ${seed})`, async () => {
    const { projected, snapshot, records } = await watchSandbox(seed)
    for (const horizon of [1, 7]) {
      const bias = biasOf(projected, records, horizon)
      assert(Math.abs(bias) < 0.3, `${bias}% over ${horizon} epochs`)
    }
    // Ranges use projections recomputed from records: these must not be biased either.
    const again = new Map([...projected.keys()].map((epoch) => [epoch, projectAt(snapshot, records, epoch)]))
    const bias = biasOf(again, records, 1)
    assert(Math.abs(bias) < 0.3, `${bias}% when made anew`)
    // Two validators join and two leave in the first of these epochs: the records must show who shares the rewards.
    for (const [epoch, rates] of again) {
      const ratios = [...rates].flatMap(([id, rate]) => rate / (projected.get(epoch)?.get(id) ?? rate))
      const middle = median(ratios)
      assert(Math.abs(middle - 1) < 0.03, `${middle} of what was projected in epoch ${epoch}`)
    }
  })
}

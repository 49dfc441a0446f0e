import { openSandboxChain } from '../../server/src/adapters/sandbox/sandbox-chain.ts'
import { viewRecords, viewSnapshot } from '../../server/src/adapters/sandbox/views.ts'
import { foundWorld } from '../../server/src/adapters/sandbox/world/genesis.ts'
import { projectAt } from '../../server/src/domain/staking/forecast/past-market.ts'
import { rememberEpochs } from '../../server/src/domain/staking/forecast/remember-epochs.ts'
import { memoryStates } from '../../server/test/sandbox/test-chain.ts'
import { blockInterval, blockMeans } from './block-interval.ts'
import { formatInterval, measureCoverage, type Past } from './coverage.ts'

const DAY_MS = 86_400_000
const NOW = 1_800_000_000_000

/** A simulated chain, `epochs` days after it was opened. Stakers come and go only before that, up to epoch 91. */
export async function sandboxPast(seed: number, epochs: number): Promise<Past> {
  const chain = await openSandboxChain({
    seed,
    epochMs: DAY_MS,
    clock: { now: () => NOW },
    states: memoryStates(),
  })
  await chain.advance(epochs)
  const deadline = AbortSignal.timeout(60_000)
  const snapshot = await chain.readSnapshot(deadline)
  const records = Map.groupBy(await chain.readEpochs(0, deadline), ({ validatorId }) => validatorId)
  return { snapshot, records }
}

/** A simulated chain on which stakers come and go in all epochs. */
export function busyPast(seed: number, epochs: number): Past {
  const world = foundWorld(seed, DAY_MS, NOW, epochs)
  const snapshot = viewSnapshot(world, { epochMs: DAY_MS, chainTime: NOW, now: NOW })
  return { snapshot, records: Map.groupBy(viewRecords(world, 0), ({ validatorId }) => validatorId) }
}

const HORIZONS = [1, 7, 30]
/** Results are grouped by the age of the chain; these are the last epochs of the groups. */
const AGES = [60, 90, 150, 200, 400]
const LONGEST = 400

type Measured = { readonly horizon: number; readonly byEpoch: readonly { epoch: number; inside: number }[] }

/** Prints the coverage over all seeds, by the age of the chain. */
export async function printSandboxCoverage(seeds: readonly number[]): Promise<void> {
  const opened: Measured[] = []
  const busy: Measured[] = []
  for (const seed of seeds) {
    opened.push(...measureHorizons(await sandboxPast(seed, LONGEST - 91)))
    busy.push(...measureHorizons(busyPast(seed, LONGEST)))
  }
  printByAge(`sandboxes, seeds ${seeds.join()}; nobody stakes after epoch 90`, opened)
  printByAge('the same, stakers in all epochs', busy)
}

function measureHorizons({ snapshot, records }: Past): readonly Measured[] {
  const projected = rememberEpochs((origin: number) => projectAt(snapshot, records, origin))
  return HORIZONS.flatMap((horizon) => {
    const found = measureCoverage({ snapshot, records }, horizon, 1, projected)
    return found ? [{ horizon, byEpoch: found.byEpoch }] : []
  })
}

function printByAge(title: string, measured: readonly Measured[]): void {
  console.log(title)
  for (const [index, to] of AGES.entries()) {
    const from = (AGES[index - 1] ?? 0) + 1
    for (const horizon of HORIZONS) {
      const here = measured
        .filter((one) => one.horizon === horizon)
        .map(({ byEpoch }) => byEpoch.filter(({ epoch }) => epoch >= from && epoch <= to))
      const all = here.flat()
      const inside = all.reduce((sum, one) => sum + one.inside, 0) / all.length
      const means = here.flatMap((byEpoch) => blockMeans(byEpoch, horizon))
      const result = `${(100 * inside).toFixed(1)} % inside (${formatInterval(blockInterval(means))})`
      console.log(`  epochs ${from} … ${to}, ${String(horizon).padStart(2)} ahead: ${result}`)
    }
  }
}

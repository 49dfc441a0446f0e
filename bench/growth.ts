import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contender } from './contenders/contender.ts'
import { startOn } from './contenders/stakewright-contender.ts'
import { metadataRequests } from './support/agent-keys.ts'
import { compare, type Figures, medianOf, ratioOf, type Workload } from './support/compare.ts'
import { fillStore, REQUESTS_PER_BATCH } from './support/filled-store.ts'

const FEW = 10
const MANY = 100_000
const BATCHES = 1_000
const TEN = 'ten of them ask'
const ASKING = { [TEN]: FEW, '256 of them ask': 256, 'all of them ask': MANY }
/** Where the memory of a process happens to lie is worth several percent. */
const STARTS = 3
const ROUNDS_PER_START = 5

/**
 * What does a request cost with 100,000 agents and a million logged requests? When ten of them ask, compared with ten
 * agents and an empty log, which shows what the size of the store does. When 256 ask, so that those of a commit are
 * mostly different ones, and when all do, each seldom: compared with ten of the same store.
 */
export async function benchGrowth(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [small, large] = [join(folder, 'small'), join(folder, 'large')]
  const fewKeys = await fillStore(small, FEW, 0)
  const manyKeys = await fillStore(large, MANY, BATCHES)
  const figures = new Map<string, Figures[]>()
  for (let start = 0; start < STARTS; start += 1) {
    await using few = await startOn('few', small)
    await using many = await startOn('many', large)
    const rounds = await compare(workloadsOf({ few, fewKeys, many, manyKeys }), ROUNDS_PER_START)
    for (const [name, measured] of rounds) figures.set(name, [...(figures.get(name) ?? []), ...measured])
  }
  const of = (name: string) => figures.get(name) ?? []
  const costOf = (name: string, beside: string) => ratioOf(of(beside), of(name), 'perCpuSecond')
  console.log(
    `\nGET …/agent/metadata with ${MANY} agents and ${BATCHES * REQUESTS_PER_BATCH} logged requests;` +
      ` ${STARTS} starts, ${ROUNDS_PER_START} rounds each: processor time of a request`,
  )
  console.log(`  when ten of them ask, × that with ten agents and an empty log   ${costOf(TEN, 'few')}`)
  for (const name of Object.keys(ASKING)) {
    const cost = name === TEN ? '' : `${costOf(name, TEN)} × that when ten ask`
    console.log(`  when ${name}`.padEnd(24), cost.padEnd(40), writtenIn(of(name)))
  }
}

type Stores = {
  readonly few: Contender
  readonly fewKeys: readonly string[]
  readonly many: Contender
  readonly manyKeys: readonly string[]
}

const workloadsOf = ({ few, fewKeys, many, manyKeys }: Stores): readonly Workload[] => [
  { contender: few, request: metadataRequests(fewKeys), expectStatus: 200 },
  ...Object.entries(ASKING).map(([name, count]) => ({
    contender: { ...many, name },
    request: metadataRequests(manyKeys.slice(0, count)),
    expectStatus: 200,
  })),
]

function writtenIn(rounds: readonly Figures[]): string {
  const [bytes, calls] = [medianOf(rounds, 'bytesWritten'), medianOf(rounds, 'writeCalls')]
  return `${(bytes / 1_000).toFixed(1)} KB in ${calls.toFixed(1)} write calls, answer and log included`
}

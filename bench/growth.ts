import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metadataRequests } from './support/agent-keys.ts'
import { compare, type Figures, medianOf, ratioOf } from './support/compare.ts'
import { fillStore, REQUESTS_PER_BATCH, startOn } from './support/filled-store.ts'

const FEW = 10
const MANY = 100_000
const BATCHES = 1_000
const ASKING = { 'ten of them ask': FEW, '256 of them ask': 256, 'all of them ask': MANY }

/**
 * Does a request cost more with 100,000 agents and a million logged requests than with ten agents and an empty log?
 * Once when ten of them ask, which shows what the size of the store does; once when some do, so that those of a commit
 * are mostly different ones; and once when all of them do, each seldom, which shows what it costs to meet somebody who
 * has not asked for long.
 */
export async function benchGrowth(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [small, large] = [join(folder, 'small'), join(folder, 'large')]
  const fewKeys = await fillStore(small, FEW, 0)
  const manyKeys = await fillStore(large, MANY, BATCHES)
  const few = opened.use(await startOn('few', small))
  const many = opened.use(await startOn('many', large))
  const expectStatus = 200
  const rounds = await compare([
    { contender: few, request: metadataRequests(fewKeys), expectStatus },
    ...Object.entries(ASKING).map(([name, count]) => ({
      contender: { ...many, name },
      request: metadataRequests(manyKeys.slice(0, count)),
      expectStatus,
    })),
  ])
  const ofFew = (name: string) => ratioOf(rounds.get(name) ?? [], rounds.get('few') ?? [], 'perCpuSecond')
  console.log(
    `\nGET …/agent/metadata with ${MANY} agents and ${BATCHES * REQUESTS_PER_BATCH} logged requests,`,
  )
  console.log(`  in requests per CPU second of those with ${FEW} agents and an empty log`)
  for (const name of Object.keys(ASKING))
    console.log(`  when ${name}`.padEnd(24), ofFew(name).padEnd(20), writtenIn(rounds.get(name) ?? []))
}

function writtenIn(rounds: readonly Figures[]): string {
  const [bytes, calls] = [medianOf(rounds, 'bytesWritten'), medianOf(rounds, 'writeCalls')]
  return `${(bytes / 1_000).toFixed(1)} KB in ${calls.toFixed(1)} write calls, answer and log included`
}

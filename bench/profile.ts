import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOn } from './contenders/stakewright-contender.ts'
import { adminToken } from './support/agent-keys.ts'
import { compare, medianOf, ratioOf } from './support/compare.ts'
import { fillHistory } from './support/filled-store.ts'

const FEW = 1_000
/** Many, because users have a limit per minute. */
const ADMINS = 1_000

/** Checks whether reading an agent's profile becomes slower as the agent has more logged requests. */
export async function benchProfile({ rows }: { readonly rows: number }): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const tokens = await Promise.all(
    Array.from({ length: ADMINS }, (_, at) => adminToken(`admin${at}@example.com`)),
  )
  const workloads = []
  for (const [name, count] of [
    ['many', rows],
    ['few', FEW],
  ] as const) {
    const dataDir = join(folder, name)
    const id = await fillHistory(dataDir, count)
    const contender = opened.use(await startOn(name, dataDir))
    const request = tokens.map(
      (token) =>
        `GET /api/v1/agents/${id}/profile HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    workloads.push({ contender, request, expectStatus: 200 })
  }
  const rounds = await compare(workloads)
  const [many, few] = [rounds.get('many') ?? [], rounds.get('few') ?? []]
  console.log(`\nGET /api/v1/agents/{id}/profile with ${rows} logged requests of the agent, and with ${FEW}`)
  console.log(
    `  processor time per request ${ratioOf(few, many, 'perCpuSecond')} × that with ${FEW}` +
      ` (${Math.round(1e6 / medianOf(many, 'perCpuSecond'))} against ${Math.round(1e6 / medianOf(few, 'perCpuSecond'))} µs);` +
      ` p99 ${ratioOf(many, few, 'p99Ms')} ×`,
  )
}

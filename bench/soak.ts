import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Contender } from './contenders/contender.ts'
import { startOn } from './contenders/stakewright-contender.ts'
import { registerAgents } from './support/agent-keys.ts'
import { putOpenLoad } from './support/open-load.ts'

const PER_SECOND = 300
const SAMPLE_MS = 10_000
/** The first samples are dropped: the process is still compiling and filling its caches. */
const WARM_UP_SHARE = 0.25
const GC_MS = 300

const FIGURES = {
  'heap after collection, MB': (metrics: string) =>
    readMetric(metrics, 'nodejs_heap_size_used_bytes') / 2 ** 20,
  'resident memory, MB': (metrics: string) => readMetric(metrics, 'process_resident_memory_bytes') / 2 ** 20,
  'open descriptors': (metrics: string) => readMetric(metrics, 'process_open_fds'),
}
type Sample = { readonly minutes: number; readonly metrics: string }

/** Puts a steady mixed load on the service for minutes, to detect leaks of memory or descriptors. */
export async function benchSoak({ minutes }: { readonly minutes: number }): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const options = { NODE_OPTIONS: '--expose-gc' }
  const ours = opened.use(await startOn('stakewright', join(folder, 'data'), options))
  const requests = mixedRequests(await registerAgents(ours.port))
  const samples: Sample[] = []
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 60_000
  let sent = 0
  let cut = 0
  let slow = 0
  while (elapsed() < minutes) {
    const load = {
      port: ours.port,
      requests,
      perSecond: PER_SECOND,
      durationMs: SAMPLE_MS,
      patienceMs: 5_000,
    }
    const { offered, closed, late } = await putOpenLoad(load)
    sent += offered
    cut += closed
    slow += late
    samples.push({ minutes: elapsed(), metrics: await readAfterCollection(ours) })
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  console.log(
    `\nSoak: ${minutes} minutes at ${PER_SECOND} requests per second; ${sent} sent, ${slow} unanswered after 5 s, ${cut} connections cut`,
  )
  printSlopes(samples.slice(Math.floor(samples.length * WARM_UP_SHARE)))
}

/** Accepted and refused requests, by every key from 16 addresses each. */
function mixedRequests(keys: readonly string[]): readonly string[] {
  const amount = JSON.stringify({ amount: '5000000000000' })
  const body = `content-type: application/json\r\ncontent-length: ${amount.length}\r\n\r\n${amount}`
  const kinds = (key: string): readonly string[] => [
    `GET /api/v1/staking/agent/metadata HTTP/1.1\r\nx-api-key: ${key}`,
    `GET /api/v1/staking/agent/validators/scored HTTP/1.1\r\nx-api-key: ${key}`,
    `GET /api/v1/staking/agent/usage HTTP/1.1\r\nx-api-key: ${key}`,
    `GET /api/v1/staking/agent/metadata HTTP/1.1\r\nx-api-key: ${key.toLowerCase()}`,
    'GET /api/v1/staking/validators HTTP/1.1',
    'GET /nowhere HTTP/1.1',
    `POST /api/v1/staking/agent/allocate HTTP/1.1\r\nx-api-key: ${key}`,
  ]
  return Array.from({ length: 16 }, (_, block) =>
    keys.flatMap((key, at) =>
      kinds(key).map((head) => {
        const address = `198.18.${block}.${at % 256}`
        const end = head.startsWith('POST') ? body : '\r\n'
        return `${head}\r\nhost: bench\r\nx-forwarded-for: ${address}\r\n${end}`
      }),
    ),
  ).flat()
}

async function readAfterCollection({ pid, port }: Contender): Promise<string> {
  process.kill(pid, 'SIGUSR2')
  await pause(GC_MS)
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
}

const readMetric = (metrics: string, name: string): number =>
  Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)

function printSlopes(samples: readonly Sample[]): void {
  for (const [name, read] of Object.entries(FIGURES)) {
    const points = samples.map(({ minutes, metrics }) => ({ x: minutes, y: read(metrics) }))
    const values = points.map(({ y }) => y)
    const { slope, error } = fitLine(points)
    const range = `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`
    const growth = `${(slope * 10).toFixed(2)} ± ${(error * 20).toFixed(2)} in ten minutes`
    console.log(`  ${name.padEnd(27)} ${range.padEnd(16)} linear fit ${growth}`)
  }
}

type Point = { readonly x: number; readonly y: number }

/** Least squares; `error` is the standard error of the slope. */
function fitLine(points: readonly Point[]): { readonly slope: number; readonly error: number } {
  const sumOf = (value: (point: Point) => number) => points.reduce((sum, point) => sum + value(point), 0)
  const meanX = sumOf(({ x }) => x) / points.length
  const meanY = sumOf(({ y }) => y) / points.length
  const spread = sumOf(({ x }) => (x - meanX) ** 2)
  const slope = sumOf(({ x, y }) => (x - meanX) * (y - meanY)) / spread
  const residue = sumOf(({ x, y }) => (y - meanY - slope * (x - meanX)) ** 2)
  return { slope, error: Math.sqrt(residue / Math.max(1, points.length - 2) / spread) }
}

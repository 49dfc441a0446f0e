import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNginx } from '../server/test/support/services/nginx-server.ts'
import type { Contender } from './contenders/contender.ts'
import { startOn } from './contenders/stakewright-contender.ts'
import { metadataRequests, rebalanceRequests, registerAgents } from './support/agent-keys.ts'
import { putLoad } from './support/load.ts'
import { type OpenLoadResult, putOpenLoad } from './support/open-load.ts'
import { quantile } from './support/quantiles.ts'

const CONNECTIONS = [64, 320, 1_280]
const SHARES = [0.5, 0.9, 1.5, 2, 5]
const STEP_MS = 4_000
const PATIENCE_MS = 1_000
const HARDLY_LESS = 0.95

/**
 * Measures the service above its capacity, with the limits per minute out of the way: under closed-loop load (callers
 * wait for their answers), and under open-loop load (a fixed rate of arrivals) through the nginx of ops/.
 */
export async function benchOverload(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const ours = opened.use(await startOn('stakewright', join(folder, 'data')))
  const keys = await registerAgents(ours.port)
  console.log('\nOverload, embedded store')
  await printClosedLoop(ours, 'GET …/agent/metadata', metadataRequests(keys))
  // Expensive enough that the load's core can send five times what the service's core can serve.
  const plans = await rebalanceRequests(keys, ours.port)
  const capacity = await printClosedLoop(ours, 'POST …/agent/rebalance-plan', plans)
  await printOpenLoop(ours, plans, capacity)
}

/** Prints a step per number of callers; returns the highest throughput per second. */
async function printClosedLoop(
  { ports }: Contender,
  name: string,
  request: readonly string[],
): Promise<number> {
  const load = { ports, request, expectStatus: 200 }
  await putLoad({ ...load, connections: 64, durationMs: 2_000 })
  console.log(`  ${name}: callers who send their next request when they have the answer`)
  console.log('    callers    per s   of peak   p50 ms   p99 ms')
  let peak = 0
  for (const connections of CONNECTIONS) {
    const { answers, seconds, latenciesMs } = await putLoad({ ...load, connections, durationMs: STEP_MS })
    const perSecond = answers / seconds
    peak = Math.max(peak, perSecond)
    const figures = [Math.round(perSecond), (perSecond / peak).toFixed(2)]
    printCells([connections, ...figures, ms(latenciesMs, 0.5), ms(latenciesMs, 0.99)], [11, 9, 10, 9, 9])
  }
  return peak
}

/** Each step offers a share of `capacity`, in requests per second. */
async function printOpenLoop(ours: Contender, requests: readonly string[], capacity: number): Promise<void> {
  await using nginx = await startNginx(ours.ports)
  if (!nginx)
    return console.log('  not measured behind nginx: there is none, and it could not be had from Debian')
  console.log('  the same by callers who come at a rate of their own, behind nginx, and wait for a second')
  console.log(
    '    offered    per s   served per s   of peak   p50 ms   p99 ms   refused   p99 ms   closed   late',
  )
  let peak = 0
  for (const share of SHARES) {
    const result = await putOpenLoad({
      port: Number(new URL(nginx.url).port),
      requests,
      perSecond: capacity * share,
      durationMs: STEP_MS,
      patienceMs: PATIENCE_MS,
    })
    peak = Math.max(peak, result.served.length / result.seconds)
    printStep(share, result, peak)
    const reached = result.offered / result.seconds / capacity
    if (reached < share * HARDLY_LESS)
      console.log(
        `              (${reached.toFixed(1)} × is all that callers and nginx can send: they share a core)`,
      )
  }
}

function printStep(share: number, result: OpenLoadResult, peak: number): void {
  const { offered, served, refused, closed, late, seconds } = result
  const goodput = served.length / seconds
  const answered = [Math.round(goodput), (goodput / peak).toFixed(2), ms(served, 0.5), ms(served, 0.99)]
  const others = [refused.length, ms(refused, 0.99), closed, late]
  const cells = [`${share} ×`, Math.round(offered / seconds), ...answered, ...others]
  printCells(cells, [11, 9, 15, 10, 9, 9, 10, 9, 9, 7])
}

const printCells = (cells: readonly (string | number)[], widths: readonly number[]) =>
  console.log(cells.map((cell, at) => String(cell).padStart(widths[at] ?? 0)).join(''))

const ms = (values: readonly number[], share: number): string =>
  values.length === 0 ? '–' : quantile(values, share).toFixed(1)

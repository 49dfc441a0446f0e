import type { Measured } from '../contenders/contender.ts'
import { putLoad } from './load.ts'
import { formatRange, median, quantile } from './quantiles.ts'

export type Workload = {
  readonly contender: Measured
  readonly request: string | readonly string[]
  readonly expectStatus: number
  readonly connections?: number
  /** Starts something that runs during the measurement, such as a backup. */
  readonly beside?: () => AsyncDisposable
}

export type Figures = {
  /** Requests per second of the server's processor time: stable even if the machine is busy with other work. */
  readonly perCpuSecond: number
  readonly perSecond: number
  readonly p99Ms: number
  /** Write calls and bytes per request, for the answer, the log and the database; NaN if not counted. */
  readonly writeCalls: number
  readonly bytesWritten: number
}

/** By contender, the figures of each round. */
export type Rounds = ReadonlyMap<string, readonly Figures[]>

const ROUNDS = 7
const ROUND_MS = 1_500
/** Long enough for the JIT compiler to optimise the whole path, as in a service that has run for a while. */
const WARM_UP_MS = 4_000
export const CONNECTIONS = 64

/** Runs every workload in every round, interleaved, so that all of them meet the same disturbances. */
export async function compare(workloads: readonly Workload[], roundCount = ROUNDS): Promise<Rounds> {
  const rounds = new Map<string, Figures[]>(workloads.map(({ contender }) => [contender.name, []]))
  const runners = workloads.map((workload) => ({ name: workload.contender.name, run: runnerOf(workload) }))
  for (const { run } of runners) await run(WARM_UP_MS, true)
  for (let round = 0; round < roundCount; round += 1) {
    for (const { name, run } of runners) {
      rounds.get(name)?.push(await run(ROUND_MS))
      process.stderr.write('.')
    }
  }
  process.stderr.write('\n')
  return rounds
}

/** Each run continues in the list of requests where the previous one stopped. A whole run sends each at least once. */
function runnerOf(workload: Workload) {
  const connections = workload.connections ?? CONNECTIONS
  const stride = Math.ceil([workload.request].flat().length / connections)
  let from = 0
  return async (durationMs: number, isWhole = false): Promise<Figures> => {
    for (;;) {
      const { answers, figures } = await run(workload, connections, from, durationMs)
      from += Math.floor(answers / connections)
      if (!isWhole || from >= stride) return figures
    }
  }
}

async function run(workload: Workload, connections: number, from: number, durationMs: number) {
  const { contender, request, expectStatus } = workload
  contender.takeCores()
  await using _beside = workload.beside?.()
  const before = contender.cpuSeconds()
  const wroteBefore = contender.written?.()
  const { answers, latenciesMs, seconds } = await putLoad({
    ports: contender.ports,
    request,
    from,
    connections,
    durationMs,
    expectStatus,
  })
  const wrote = contender.written?.()
  const figures: Figures = {
    perCpuSecond: answers / (contender.cpuSeconds() - before),
    perSecond: answers / seconds,
    p99Ms: quantile(latenciesMs, 0.99),
    writeCalls: (Number(wrote?.writeCalls) - Number(wroteBefore?.writeCalls)) / answers,
    bytesWritten: (Number(wrote?.bytesWritten) - Number(wroteBefore?.bytesWritten)) / answers,
  }
  return { answers, figures }
}

/** The median over rounds of ours divided by theirs, with minimum and maximum. */
export function ratioOf(ours: readonly Figures[], theirs: readonly Figures[], figure: keyof Figures): string {
  const ratios = ours.map((one, round) => one[figure] / (theirs[round]?.[figure] ?? Number.NaN))
  return formatRange(median(ratios), Math.min(...ratios), Math.max(...ratios))
}

export const medianOf = (figures: readonly Figures[], figure: keyof Figures): number =>
  median(figures.map((one) => one[figure]))

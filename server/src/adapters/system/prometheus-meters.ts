import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meters } from '#ports/meters.ts'
import { requestTimes } from './request-times.ts'

export type PrometheusOptions = {
  /** Also memory, CPU, garbage collection and event-loop lag: these belong to the process, not to one service in it. */
  readonly ofProcess: boolean
}

const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export function prometheusMeters({ ofProcess }: PrometheusOptions): Meters {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const requests = requestTimes()
  const jobs = new Histogram({
    name: 'stakewright_job_duration_seconds',
    help: 'Time a run of a background job took, by its outcome.',
    // Not "job": Prometheus has a label of that name for what it scrapes, and would rename ours.
    labelNames: ['task', 'outcome'] as const,
    buckets: JOB_SECONDS,
    registers,
  })
  const epoch = new Gauge({
    name: 'stakewright_snapshot_epoch',
    help: 'The epoch of the snapshot that is served.',
    registers,
  })
  const checkpoint = new Gauge({
    name: 'stakewright_snapshot_checkpoint_timestamp_seconds',
    help: "The chain's own time of the snapshot that is served.",
    registers,
  })
  const refused = new Counter({
    name: 'stakewright_snapshots_refused_total',
    help: 'Snapshots that were not accepted; the log says why.',
    registers,
  })
  return {
    requestFinished: requests.add,
    jobFinished: (job, outcome, seconds) => jobs.observe({ task: job, outcome }, seconds),
    snapshotAccepted(number, checkpointAt) {
      epoch.set(number)
      checkpoint.set(checkpointAt / 1000)
    },
    snapshotRefused: () => refused.inc(),
    async expose() {
      return {
        contentType: registry.contentType,
        text: `${await registry.metrics()}\n${requests.expose()}\n`,
      }
    },
  }
}

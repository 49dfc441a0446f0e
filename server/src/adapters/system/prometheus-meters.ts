import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meters } from '#ports/meters.ts'

export type PrometheusOptions = {
  /** Also memory, CPU, garbage collection and event-loop lag: these belong to the process, not to one service in it. */
  readonly ofProcess: boolean
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** More kinds than routes, methods and statuses make; a stranger's invented methods must not fill the memory. */
const MAX_KINDS = 2_000
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export function prometheusMeters({ ofProcess }: PrometheusOptions): Meters {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'stakewright_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  })
  const jobs = new Histogram({
    name: 'stakewright_job_duration_seconds',
    help: 'Time a run of a background job took, by its outcome.',
    labelNames: ['job', 'outcome'] as const,
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
  // Finding a kind by its labels costs more than the measurement itself.
  const kinds = new Map<string, ReturnType<typeof requests.labels>>()
  return {
    requestFinished(route, method, status, seconds) {
      const key = `${method} ${status} ${route}`
      const known = kinds.get(key)
      if (known) return known.observe(seconds)
      const kind = requests.labels({ route, method: METHODS.has(method) ? method : 'other', status })
      if (kinds.size < MAX_KINDS) kinds.set(key, kind)
      kind.observe(seconds)
    },
    jobFinished: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    snapshotAccepted(number, checkpointAt) {
      epoch.set(number)
      checkpoint.set(checkpointAt / 1000)
    },
    snapshotRefused: () => refused.inc(),
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

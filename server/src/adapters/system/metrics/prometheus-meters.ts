import type { Meters } from '#ports/meters.ts'
import { type MeasuredProcess, processMeters } from './process-meters.ts'
import { CONTENT_TYPE, exposeValue, histogram } from './prometheus-text.ts'
import { requestTimes } from './request-times.ts'

type PrometheusOptions = {
  /** The process whose memory, CPU, garbage collection and event-loop lag are exposed, too; false: none. */
  readonly ofProcess: MeasuredProcess | false
}

const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]

export function prometheusMeters({ ofProcess }: PrometheusOptions): Meters {
  const requests = requestTimes()
  const jobs = histogram(
    'stakewright_job_duration_seconds',
    'Time a run of a background job took, by its outcome.',
    JOB_SECONDS,
  )
  const ownProcess = ofProcess && processMeters(ofProcess)
  let epoch = 0
  let checkpointSeconds = 0
  let refused = 0

  const exposeSnapshots = () =>
    [
      exposeValue('gauge', 'stakewright_snapshot_epoch', 'The epoch of the snapshot that is served.', epoch),
      exposeValue(
        'gauge',
        'stakewright_snapshot_checkpoint_timestamp_seconds',
        "The chain's own time of the snapshot that is served.",
        checkpointSeconds,
      ),
      exposeValue(
        'counter',
        'stakewright_snapshots_refused_total',
        'Snapshots that were not accepted; the log says why.',
        refused,
      ),
    ].join('')

  return {
    requestFinished: requests.add,
    // Not "job": Prometheus has a target label with that name and would rename ours.
    jobFinished: (job, outcome, seconds) =>
      jobs.observe(jobs.series(`task="${job}",outcome="${outcome}"`), seconds),
    snapshotAccepted(number, checkpointAt) {
      epoch = number
      checkpointSeconds = checkpointAt / 1000
    },
    snapshotRefused() {
      refused += 1
    },
    expose: async () => ({
      contentType: CONTENT_TYPE,
      text: (ownProcess ? ownProcess.expose() : '') + jobs.expose() + exposeSnapshots() + requests.expose(),
    }),
  }
}

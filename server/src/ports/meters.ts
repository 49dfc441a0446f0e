/** `late`: it was still running after its deadline. */
export type JobOutcome = 'done' | 'failed' | 'late'

/** Metrics for operators. Every label set is bounded: route templates, never URLs. */
export type Meters = {
  requestFinished(route: string, method: string, status: number, seconds: number): void
  jobFinished(job: string, outcome: JobOutcome, seconds: number): void
  snapshotAccepted(epoch: number, checkpointAt: number): void
  snapshotRefused(): void
  /** The Prometheus exposition. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>
}

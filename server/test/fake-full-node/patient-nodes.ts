import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'

/** Timeouts that no node on a busy machine exceeds. Tests of timeouts set their own. */
export const PATIENT_NODES = {
  callMs: 20_000,
  totalMs: 60_000,
  simulationMs: 20_000,
  simulationTryMs: 20_000,
} as const satisfies Partial<EndpointLimits>

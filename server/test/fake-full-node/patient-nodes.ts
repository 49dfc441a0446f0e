import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'

/** Far beyond what a node on this machine takes, however busy that is: a test that is about waiting sets its own. */
export const PATIENT_NODES = {
  callMs: 20_000,
  totalMs: 60_000,
  simulationMs: 20_000,
  simulationTryMs: 20_000,
} as const satisfies Partial<EndpointLimits>

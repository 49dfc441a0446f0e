import { type EndpointName, ROUTES } from './routes.ts'

/**
 * What a call does to the state of the service: nothing, a reversible change, or an irreversible one. A build
 * `reserves`: it may use up part of a policy's window, or ask the owner for an approval.
 */
export type Effect = 'none' | 'reserves' | 'changes' | 'destroys'

/** Endpoints whose method does not tell their effect. Everything else follows its method. */
const EXCEPTIONS: { readonly [Name in EndpointName]?: Effect } = {
  allocate: 'none',
  planRebalance: 'none',
  backtest: 'none',
  buildStake: 'reserves',
  buildUnstake: 'reserves',
  buildWithdraw: 'reserves',
  buildJoin: 'reserves',
  buildBatch: 'reserves',
  simulatePolicy: 'none',
  verifyAudit: 'none',
  verifyEmail: 'changes',
  reportLeak: 'destroys',
}

const BY_METHOD = {
  GET: 'none',
  POST: 'changes',
  PUT: 'changes',
  PATCH: 'changes',
  DELETE: 'destroys',
} as const

/** Calls that change something once: a repeat changes nothing more and gets the same answer. */
const IDEMPOTENT: ReadonlySet<EndpointName> = new Set([
  'verifyEmail',
  'revokeKey',
  'revokeAgent',
  'reportLeak',
  'decideApproval',
  'cancelReservation',
  'releaseReservation',
])

/**
 * Whether a call may be retried if its outcome is unknown. A build may with an `Idempotency-Key`. A call that
 * returns an API key may not: a repeat does not show the key again.
 */
export const isSafeToRepeat = (name: EndpointName, isNamed: boolean): boolean =>
  effectOf(name) === 'none' || IDEMPOTENT.has(name) || (effectOf(name) === 'reserves' && isNamed)

export const effectOf = (name: EndpointName): Effect => EXCEPTIONS[name] ?? BY_METHOD[ROUTES[name].method]

import { type EndpointName, ROUTES } from './routes.ts'

/**
 * What a call does to the state of the service: nothing, a change that can be undone, or one that cannot. A build
 * reserves: it may take room in the window of a policy, or ask the owner for an approval.
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

/**
 * Whether a call may be sent again when nobody knows what became of it. A build that an `Idempotency-Key` names may; what
 * is answered with a key may not: a repeat does not show it.
 */
export const isSafeToRepeat = (name: EndpointName, isNamed: boolean): boolean =>
  effectOf(name) === 'none' || (effectOf(name) === 'reserves' && isNamed)

export const effectOf = (name: EndpointName): Effect => EXCEPTIONS[name] ?? BY_METHOD[ROUTES[name].method]

import { type EndpointName, ROUTES } from './routes.ts'

/** What a call does to the state of the service: nothing, a change that can be undone, or one that cannot. */
export type Effect = 'none' | 'changes' | 'destroys'

/** Endpoints whose method does not tell their effect. Everything else follows its method. */
const EXCEPTIONS: { readonly [Name in EndpointName]?: Effect } = {
  allocate: 'none',
  planRebalance: 'none',
  backtest: 'none',
  buildStake: 'none',
  buildUnstake: 'none',
  buildWithdraw: 'none',
  buildBatch: 'none',
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

export const effectOf = (name: EndpointName): Effect => EXCEPTIONS[name] ?? BY_METHOD[ROUTES[name].method]

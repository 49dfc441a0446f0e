/**
 * Method, path and credential of every endpoint: plain data, so that the client needs nothing else at run time.
 * `none`: public · `agent-key`: an API key · `user-token`: a user's JWT.
 */
export type Auth = 'none' | 'agent-key' | 'user-token'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are in braces: `/api/v1/staking/validators/{id}`. */
  readonly path: string
  readonly auth: Auth
}

export const ROUTES = {
  // Public staking data
  validators: { method: 'GET', path: '/api/v1/staking/validators', auth: 'none' },
  validator: { method: 'GET', path: '/api/v1/staking/validators/{id}', auth: 'none' },
  validatorApyHistory: { method: 'GET', path: '/api/v1/staking/validators/{id}/apy-history', auth: 'none' },
  validatorCommissionHistory: {
    method: 'GET',
    path: '/api/v1/staking/validators/{id}/commission-history',
    auth: 'none',
  },
  validatorHistories: { method: 'GET', path: '/api/v1/staking/validator-histories', auth: 'none' },
  apyHistory: { method: 'GET', path: '/api/v1/staking/apy-history', auth: 'none' },
  network: { method: 'GET', path: '/api/v1/staking/network', auth: 'none' },
  epoch: { method: 'GET', path: '/api/v1/staking/epoch', auth: 'none' },
  price: { method: 'GET', path: '/api/v1/staking/price', auth: 'none' },
  scoring: { method: 'GET', path: '/api/v1/staking/scoring', auth: 'none' },
  accuracy: { method: 'GET', path: '/api/v1/staking/accuracy', auth: 'none' },
  health: { method: 'GET', path: '/api/v1/staking/health', auth: 'none' },

  // What an agent does with its key
  metadata: { method: 'GET', path: '/api/v1/staking/agent/metadata', auth: 'agent-key' },
  usage: { method: 'GET', path: '/api/v1/staking/agent/usage', auth: 'agent-key' },
  scoredValidators: { method: 'GET', path: '/api/v1/staking/agent/validators/scored', auth: 'agent-key' },
  allocate: { method: 'POST', path: '/api/v1/staking/agent/allocate', auth: 'agent-key' },
  planRebalance: { method: 'POST', path: '/api/v1/staking/agent/rebalance-plan', auth: 'agent-key' },
  backtest: { method: 'POST', path: '/api/v1/staking/agent/backtest', auth: 'agent-key' },
  buildStake: { method: 'POST', path: '/api/v1/staking/agent/tx/stake', auth: 'agent-key' },
  buildUnstake: { method: 'POST', path: '/api/v1/staking/agent/tx/unstake', auth: 'agent-key' },
  buildWithdraw: { method: 'POST', path: '/api/v1/staking/agent/tx/withdraw', auth: 'agent-key' },
  buildJoin: { method: 'POST', path: '/api/v1/staking/agent/tx/join', auth: 'agent-key' },
  buildBatch: { method: 'POST', path: '/api/v1/staking/agent/tx/batch', auth: 'agent-key' },
  releaseReservation: { method: 'POST', path: '/api/v1/staking/agent/tx/release', auth: 'agent-key' },
  ownPolicy: { method: 'GET', path: '/api/v1/staking/agent/policy', auth: 'agent-key' },
  simulatePolicy: { method: 'POST', path: '/api/v1/staking/agent/policy/simulate', auth: 'agent-key' },
  intentKeys: { method: 'GET', path: '/.well-known/stakewright-keys.json', auth: 'none' },
  positions: { method: 'GET', path: '/api/v1/staking/agent/positions', auth: 'agent-key' },
  rewards: { method: 'GET', path: '/api/v1/staking/agent/rewards', auth: 'agent-key' },
  delegators: { method: 'GET', path: '/api/v1/staking/agent/delegators/{validatorId}', auth: 'agent-key' },

  // The simulated chain
  sandboxKey: { method: 'POST', path: '/api/v1/sandbox/keys', auth: 'none' },
  sandboxExecute: { method: 'POST', path: '/api/v1/sandbox/execute', auth: 'agent-key' },
  sandboxAdvance: { method: 'POST', path: '/api/v1/sandbox/advance', auth: 'agent-key' },

  // Identity
  selfRegister: { method: 'POST', path: '/api/v1/agents/self-register', auth: 'none' },
  walletChallenge: { method: 'POST', path: '/api/v1/agents/challenge', auth: 'none' },
  verifyEmail: { method: 'GET', path: '/api/v1/agents/verify', auth: 'none' },
  resendVerification: { method: 'POST', path: '/api/v1/agents/verify/resend', auth: 'none' },
  requestCode: { method: 'POST', path: '/api/v1/auth/code', auth: 'none' },
  exchangeCode: { method: 'POST', path: '/api/v1/auth/token', auth: 'none' },
  listSessions: { method: 'GET', path: '/api/v1/auth/sessions', auth: 'user-token' },
  endSession: { method: 'DELETE', path: '/api/v1/auth/sessions/{id}', auth: 'user-token' },
  totpState: { method: 'GET', path: '/api/v1/auth/totp', auth: 'user-token' },
  enrolTotp: { method: 'POST', path: '/api/v1/auth/totp', auth: 'user-token' },
  confirmTotp: { method: 'POST', path: '/api/v1/auth/totp/verify', auth: 'user-token' },
  renewRecoveryCodes: { method: 'POST', path: '/api/v1/auth/totp/recovery-codes', auth: 'user-token' },
  removeTotp: { method: 'POST', path: '/api/v1/auth/totp/remove', auth: 'user-token' },
  listAgents: { method: 'GET', path: '/api/v1/agents', auth: 'user-token' },
  readAgent: { method: 'GET', path: '/api/v1/agents/{id}', auth: 'user-token' },
  registerAgent: { method: 'POST', path: '/api/v1/agents/register', auth: 'user-token' },
  updateAgent: { method: 'PATCH', path: '/api/v1/agents/{id}', auth: 'user-token' },
  rotateKey: { method: 'POST', path: '/api/v1/agents/{id}/rotate', auth: 'user-token' },
  listKeys: { method: 'GET', path: '/api/v1/agents/{id}/keys', auth: 'user-token' },
  createKey: { method: 'POST', path: '/api/v1/agents/{id}/keys', auth: 'user-token' },
  revokeKey: { method: 'DELETE', path: '/api/v1/agents/{id}/keys/{keyId}', auth: 'user-token' },
  readPolicy: { method: 'GET', path: '/api/v1/agents/{id}/policy', auth: 'user-token' },
  writePolicy: { method: 'PUT', path: '/api/v1/agents/{id}/policy', auth: 'user-token' },
  policyRevisions: { method: 'GET', path: '/api/v1/agents/{id}/policy/revisions', auth: 'user-token' },
  listApprovals: { method: 'GET', path: '/api/v1/agents/{id}/approvals', auth: 'user-token' },
  waitingApprovals: { method: 'GET', path: '/api/v1/approvals', auth: 'user-token' },
  readApproval: { method: 'GET', path: '/api/v1/agents/{id}/approvals/{approvalId}', auth: 'user-token' },
  decideApproval: { method: 'POST', path: '/api/v1/agents/{id}/approvals/{approvalId}', auth: 'user-token' },
  listReservations: { method: 'GET', path: '/api/v1/agents/{id}/reservations', auth: 'user-token' },
  cancelReservation: {
    method: 'DELETE',
    path: '/api/v1/agents/{id}/reservations/{reservationId}',
    auth: 'user-token',
  },
  revokeAgent: { method: 'DELETE', path: '/api/v1/agents/{id}', auth: 'user-token' },
  revokeSelf: { method: 'DELETE', path: '/api/v1/agents/self', auth: 'agent-key' },
  reportLeak: { method: 'POST', path: '/api/v1/agents/report-leak', auth: 'none' },
  agentProfile: { method: 'GET', path: '/api/v1/agents/{id}/profile', auth: 'user-token' },
  listActions: { method: 'GET', path: '/api/v1/audit', auth: 'user-token' },
  verifyAudit: { method: 'POST', path: '/api/v1/audit/verify', auth: 'user-token' },
  serviceStatus: { method: 'GET', path: '/api/v1/service', auth: 'user-token' },
  agentAudit: { method: 'GET', path: '/api/v1/agents/{id}/audit', auth: 'user-token' },
} as const satisfies Record<string, Route>

export type EndpointName = keyof typeof ROUTES

export const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(ROUTES, name)

const BY_CALL: ReadonlyMap<string, EndpointName> = new Map(
  Object.keys(ROUTES)
    .filter(isEndpoint)
    .map((name) => [`${ROUTES[name].method} ${ROUTES[name].path}`, name]),
)

/** The endpoint of a method and a path template. */
export const endpointAt = (method: string, path: string): EndpointName | undefined =>
  BY_CALL.get(`${method} ${path}`)

/** Whether an endpoint is an MCP tool: agents use all but signing in and what a signed-in user does. */
export const isTool = (endpoint: EndpointName): boolean =>
  ROUTES[endpoint].auth !== 'user-token' && !ROUTES[endpoint].path.startsWith('/api/v1/auth/')

/** The MCP tool of an endpoint: `scoredValidators` becomes `scored_validators`. */
export const toolName = (endpoint: EndpointName): string =>
  endpoint.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { AdmittedAgent } from '../support/admitted-agent.ts'

/** One request for each way of charging, each from its own address and its own caller. */
export type ChargingCase = {
  readonly request: string
  readonly status: number
  readonly path: string
  readonly method?: string
  readonly body?: string
  readonly as?: (agent: AdmittedAgent, token: string) => Record<string, string>
  /** The limits of its agent. */
  readonly limits?: { readonly rpm: number; readonly rpd: number }
  /** The state to prepare before the request. */
  readonly after?: 'revoked' | 'address used up' | 'data too old'
}

const AGENT = '/api/v1/staking/agent'
const withKey = ({ apiKey }: AdmittedAgent) => ({ 'x-api-key': apiKey })
const withToken = (_: AdmittedAgent, token: string) => ({ authorization: `Bearer ${token}` })
const unknownKey = openSecrets({ keyPrefix: 'stk', pepper: 'x' }).newApiKey()
const NOBODY = `0x${'0'.repeat(64)}`

export const CASES: readonly ChargingCase[] = [
  { request: 'probe, reference or page', status: 200, path: '/healthz' },
  { request: 'public data', status: 200, path: '/api/v1/staking/epoch' },
  { request: 'public data, unknown id', status: 404, path: `/api/v1/staking/validators/${NOBODY}` },
  { request: 'unknown path', status: 404, path: '/api/v1/nothing' },
  { request: 'wrong method', status: 405, path: '/api/v1/staking/epoch', method: 'DELETE' },
  {
    request: 'body over 100 KB, key valid',
    status: 413,
    path: `${AGENT}/allocate`,
    method: 'POST',
    body: ' '.repeat(102_401),
    as: withKey,
  },
  {
    request: 'address over its limit, key valid',
    status: 429,
    path: `${AGENT}/usage`,
    as: withKey,
    after: 'address used up',
  },
  { request: 'no key', status: 401, path: `${AGENT}/usage` },
  {
    request: 'key with a typo',
    status: 401,
    path: `${AGENT}/usage`,
    as: () => ({ 'x-api-key': 'stk_oops' }),
  },
  { request: 'unknown key', status: 401, path: `${AGENT}/usage`, as: () => ({ 'x-api-key': unknownKey }) },
  { request: 'revoked key', status: 401, path: `${AGENT}/usage`, as: withKey, after: 'revoked' },
  { request: 'key valid', status: 200, path: `${AGENT}/metadata`, as: withKey },
  { request: 'key valid, HEAD', status: 200, path: `${AGENT}/metadata`, method: 'HEAD', as: withKey },
  {
    request: 'key valid, input wrong',
    status: 400,
    path: `${AGENT}/allocate`,
    method: 'POST',
    body: '{}',
    as: withKey,
  },
  {
    request: 'key valid, tier too low',
    status: 403,
    path: `${AGENT}/rebalance-plan`,
    method: 'POST',
    body: '{}',
    as: withKey,
  },
  { request: 'key valid, nothing there', status: 404, path: `${AGENT}/delegators/${NOBODY}`, as: withKey },
  {
    request: 'key valid, quota used up',
    status: 429,
    path: `${AGENT}/usage`,
    as: withKey,
    limits: { rpm: 0, rpd: 9 },
  },
  {
    request: 'key valid, chain data too old',
    status: 503,
    path: `${AGENT}/metadata`,
    as: withKey,
    after: 'data too old',
  },
  { request: 'no token', status: 401, path: '/api/v1/approvals' },
  {
    request: 'wrong token',
    status: 401,
    path: '/api/v1/approvals',
    as: () => ({ authorization: 'Bearer x.y.z' }),
  },
  { request: 'token valid', status: 200, path: '/api/v1/approvals', as: withToken },
  { request: 'token valid, budget of its own', status: 200, path: '/api/v1/agents', as: withToken },
  {
    request: 'token valid, input wrong',
    status: 400,
    path: '/api/v1/agents/register',
    method: 'POST',
    body: '{}',
    as: withToken,
  },
  {
    request: 'token valid, admins only',
    status: 403,
    path: '/api/v1/agents/x',
    method: 'PATCH',
    body: '{}',
    as: withToken,
  },
  {
    request: "token valid, somebody else's agent",
    status: 404,
    path: '/api/v1/agents/x/profile',
    as: withToken,
  },
]

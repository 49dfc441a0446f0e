/** The kind of an endpoint, by which the behavioural profile counts calls. */
export type EndpointKind = 'look-up' | 'computation' | 'policy-check'

export const ENDPOINT_KINDS: Readonly<Record<string, EndpointKind>> = {
  scoredValidators: 'look-up',
  delegators: 'look-up',
  positions: 'look-up',
  rewards: 'look-up',
  allocate: 'computation',
  planRebalance: 'computation',
  backtest: 'computation',
  buildStake: 'computation',
  buildUnstake: 'computation',
  buildWithdraw: 'computation',
  buildJoin: 'computation',
  buildBatch: 'computation',
  metadata: 'policy-check',
  usage: 'policy-check',
  ownPolicy: 'policy-check',
  simulatePolicy: 'policy-check',
}

const BUILDERS: ReadonlySet<string> = new Set([
  'buildStake',
  'buildUnstake',
  'buildWithdraw',
  'buildJoin',
  'buildBatch',
])

export const isBuilder = (endpoint: string): boolean => BUILDERS.has(endpoint)

import { type EndpointName, ROUTES, toolName } from '@stakewright/contract/routes'

type AgentCall = {
  [Name in EndpointName]: (typeof ROUTES)[Name]['auth'] extends 'agent-key' ? Name : never
}[EndpointName]

/** Texts for the calls of agents. The type is exhaustive: a call that the contract adds fails to compile. */
const REQUESTS: Readonly<Record<AgentCall, string>> = {
  metadata: 'facts of the network',
  usage: 'its own limits and use',
  scoredValidators: 'validators by score',
  allocate: 'best split of an amount',
  planRebalance: 'plan to move stake',
  backtest: 'what a rule would have earned',
  buildStake: 'build a stake',
  buildUnstake: 'build an unstake',
  buildWithdraw: 'build a withdrawal',
  buildJoin: 'build a join of tokens',
  buildBatch: 'build several at once',
  releaseReservation: 'give back a reservation',
  ownPolicy: 'its own policy',
  simulatePolicy: 'ask whether something is allowed',
  positions: 'staked tokens of an address',
  rewards: 'rewards of an address',
  delegators: 'who stakes with a validator',
  sandboxExecute: 'execute in the sandbox',
  sandboxAdvance: 'move time in the sandbox',
  revokeSelf: 'revoke itself',
}

/** All texts, in a fixed order. */
export const REQUEST_TEXTS: readonly string[] = Object.values(REQUESTS)

const isAgentCall = (name: string): name is AgentCall => Object.hasOwn(REQUESTS, name)

/** Key: the call's name in the audit log (method and path, or the MCP tool). */
const CALLS: ReadonlyMap<string, AgentCall> = new Map(
  Object.entries(ROUTES).flatMap(([name, { method, path }]) =>
    isAgentCall(name) ? [[`${method} ${path}`, name] as const, [`mcp:${toolName(name)}`, name] as const] : [],
  ),
)

/** A call without the common prefixes of paths. */
export const callText = (endpoint: string): string =>
  endpoint.replace('/api/v1/', '').replace('staking/', '').replace('agent/', '')

/** Whether a call builds a transaction. */
export const isBuild = (endpoint: string): boolean => CALLS.get(endpoint)?.startsWith('build') ?? false

/** The text of a call; unknown calls are shown by path. */
export function requestText(endpoint: string): string {
  const name = CALLS.get(endpoint)
  return name === undefined ? callText(endpoint) : REQUESTS[name]
}

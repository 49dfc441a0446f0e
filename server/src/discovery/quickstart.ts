import { type EndpointName, ROUTES } from '@stakewright/contract'

/** One call of the quickstart. `{name}` in header or body stands for a value from an earlier answer. */
export type QuickstartStep = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, string>>
  /** Values to keep: the name, and the path in the answer. */
  readonly gives?: Readonly<Record<string, string>>
}

const step = (name: EndpointName, rest: Omit<QuickstartStep, 'method' | 'path'>): QuickstartStep => {
  const { method, path } = ROUTES[name]
  return { method, path, ...rest }
}

const WITH_KEY = { headers: { 'X-API-Key': '{apiKey}' } }

/** The shortest way to a built transaction on the sandbox. */
export const SANDBOX_QUICKSTART: readonly QuickstartStep[] = [
  step('sandboxKey', { body: { agentName: 'first-agent' }, gives: { apiKey: 'data.apiKey' } }),
  step('allocate', {
    ...WITH_KEY,
    body: { amount: '1000000000000' },
    gives: { validatorId: 'allocations.0.validatorId', amount: 'allocations.0.amount' },
  }),
  step('buildStake', { ...WITH_KEY, body: { validatorId: '{validatorId}', amount: '{amount}' } }),
]

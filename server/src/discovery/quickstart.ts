import { type EndpointName, ROUTES } from '@stakewright/contract'

/** One call of a first walk. `{name}` in a body stands for a value that an earlier call gave. */
export type QuickstartStep = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, string>>
  /** Values to keep, by name: where the answer has them. */
  readonly gives?: Readonly<Record<string, string>>
}

const step = (name: EndpointName, rest: Omit<QuickstartStep, 'method' | 'path'>): QuickstartStep => {
  const { method, path } = ROUTES[name]
  return { method, path, ...rest }
}

const WITH_KEY = { headers: { 'X-API-Key': '{apiKey}' } }

/** The shortest way to a built transaction on the sandbox, for a program that knows only this list. */
export const SANDBOX_QUICKSTART: readonly QuickstartStep[] = [
  step('sandboxKey', { body: { agentName: 'first-agent' }, gives: { apiKey: 'data.apiKey' } }),
  step('allocate', {
    ...WITH_KEY,
    body: { amount: '1000000000000' },
    gives: { validatorId: 'allocations.0.validatorId', amount: 'allocations.0.amount' },
  }),
  step('buildStake', { ...WITH_KEY, body: { validatorId: '{validatorId}', amount: '{amount}' } }),
]

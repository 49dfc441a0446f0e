import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'

/** The field of the secret in each answer that has one. */
export const SECRETS: { readonly [Name in EndpointName]?: 'apiKey' | 'accessToken' } = {
  sandboxKey: 'apiKey',
  selfRegister: 'apiKey',
  registerAgent: 'apiKey',
  rotateKey: 'apiKey',
  createKey: 'apiKey',
  exchangeCode: 'accessToken',
}

export const answersSecret = ({ endpoint }: { readonly endpoint: EndpointName }): boolean =>
  endpoint in SECRETS

/** Whether the endpoint takes an idempotency key. */
export const isRepeatable = ({ endpoint }: { readonly endpoint: EndpointName }): boolean => {
  const row: EndpointSpec = ENDPOINTS[endpoint]
  return row.isRepeatable === true
}

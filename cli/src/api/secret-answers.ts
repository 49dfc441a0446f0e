import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'

/** What `--save` keeps of the answers that hold a secret. */
export const SECRETS: { readonly [Name in EndpointName]?: 'apiKey' | 'accessToken' } = {
  sandboxKey: 'apiKey',
  selfRegister: 'apiKey',
  registerAgent: 'apiKey',
  rotateKey: 'apiKey',
  exchangeCode: 'accessToken',
}

/** Whether the answer holds a key or a token, which `--save` keeps. */
export const answersSecret = ({ endpoint }: { readonly endpoint: EndpointName }): boolean =>
  endpoint in SECRETS

/** Whether the request may be named, so that a repeat of it does nothing. */
export const isRepeatable = ({ endpoint }: { readonly endpoint: EndpointName }): boolean => {
  const row: EndpointSpec = ENDPOINTS[endpoint]
  return row.isRepeatable === true
}

import { type AddressBudget, ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'

/** The budget of the address that a request counts for; undefined: the ordinary one. */
export function addressBudgetOf(endpoint: EndpointName): AddressBudget | undefined {
  const { addressBudget }: EndpointSpec = ENDPOINTS[endpoint]
  return addressBudget
}

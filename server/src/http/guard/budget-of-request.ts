import type { AddressBudget } from '@stakewright/contract'
import { isEndpoint, ROUTES } from '@stakewright/contract/routes'
import { addressBudgetOf } from '#api/address-budget.ts'
import { listRoutePaths } from '../wire/parse/route-paths.ts'
import type { RequestHead } from './request-head.ts'

type Endpoint = { readonly budget: AddressBudget | undefined }

/** All routes: `/agents/verify` is not an agent's id. */
const PATHS = listRoutePaths<Endpoint>()
for (const name of Object.keys(ROUTES).filter(isEndpoint))
  PATHS.add(ROUTES[name].method, ROUTES[name].path, { budget: addressBudgetOf(name) })

/** The budget of its address that a request counts for. A preflight counts for that of the request it asks about. */
export function budgetOfRequest({ method = '', url = '', headers }: RequestHead): AddressBudget | undefined {
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method
  const found = PATHS.find(asked ?? method, url)
  return found.kind === 'found' ? found.target.budget : undefined
}

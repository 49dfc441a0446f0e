import type { AddressBudget } from '@stakewright/contract'
import { isEndpoint, ROUTES } from '@stakewright/contract/routes'
import { addressBudgetOf } from '#api/address-budget.ts'
import { listRoutePaths } from '../wire/parse/route-paths.ts'
import type { RequestHead } from './request-head.ts'

type Endpoint = { readonly budget: AddressBudget | undefined }

const ENDPOINTS = Object.keys(ROUTES).filter(isEndpoint)

/** All routes: `/agents/verify` is not an agent's id. */
const PATHS = listRoutePaths<Endpoint>()
for (const name of ENDPOINTS)
  PATHS.add(ROUTES[name].method, ROUTES[name].path, { budget: addressBudgetOf(name) })

/** The common prefix of all endpoints with a budget. Other plain paths need no look-up. */
const BEGINNING = ENDPOINTS.filter(addressBudgetOf)
  .map((name): string => ROUTES[name].path)
  .reduce(commonBeginning)

/** The budget of its address that a request counts for. A preflight counts for that of the request it asks about. */
export function budgetOfRequest({ method = '', url = '', headers }: RequestHead): AddressBudget | undefined {
  if (!mayHaveBudget(url)) return undefined
  const asked = method === 'OPTIONS' ? headers['access-control-request-method'] : method
  const found = PATHS.find(asked ?? method, url)
  return found.kind === 'found' ? found.target.budget : undefined
}

/** The prefix test is valid only for a path without escapes: the router decodes `%61` to `a`. */
const mayHaveBudget = (url: string) => url.startsWith(BEGINNING) || url.split('?', 1)[0]?.includes('%')

function commonBeginning(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return one.slice(0, length)
}

import { type EndpointName, ROUTES } from './routes.ts'

/**
 * Scopes of named keys. `read`: data and advice · `build`: building transactions and using the sandbox ·
 * `manage-self`: revoking itself.
 */
export const SCOPES = ['read', 'build', 'manage-self'] as const

export type KeyScope = (typeof SCOPES)[number]

/** Endpoints whose method does not tell their scope. Everything else that takes a key follows its method. */
const EXCEPTIONS: { readonly [Name in EndpointName]?: KeyScope } = {
  allocate: 'read',
  planRebalance: 'read',
  backtest: 'read',
  simulatePolicy: 'read',
}

const BY_METHOD = {
  GET: 'read',
  POST: 'build',
  PUT: 'manage-self',
  PATCH: 'manage-self',
  DELETE: 'manage-self',
} as const

export const neededScope = (name: EndpointName): KeyScope =>
  EXCEPTIONS[name] ?? BY_METHOD[ROUTES[name].method]

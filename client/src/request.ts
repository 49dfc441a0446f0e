import type { Route } from '@stakewright/contract/routes'
import { refuse } from './check-options.ts'

type Credentials = { readonly apiKey: string | undefined; readonly token: string | undefined }

/** Fills path parameters in; the other inputs become the query of a GET or DELETE, otherwise the JSON body. */
export function toRequest(route: Route, input: Readonly<Record<string, unknown>>) {
  const rest = { ...input }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    // In JavaScript nothing else keeps a call from being sent to `…/undefined`.
    if (value === undefined || value === null) refuse(name, 'what the call is about')
    delete rest[name]
    // `..` would remove the path segment before it, so the request would reach another path.
    return encodeURIComponent(String(value)).replace(/^\.\.?$/, '')
  })
  if (route.method === 'POST' || route.method === 'PUT' || route.method === 'PATCH') {
    // An empty body is sent, too: the service then names the missing field.
    return { path, body: JSON.stringify(rest, toText) }
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value))
  return { path: query.size === 0 ? path : `${path}?${query}`, body: null }
}

/** The API takes amounts as strings, so a bigint is sent as a string. */
const toText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

export function toHeaders(route: Route, body: string | null, { apiKey, token }: Credentials): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== null) headers.set('content-type', 'application/json')
  if (route.auth === 'agent-key' && apiKey !== undefined) headers.set('x-api-key', apiKey)
  if (route.auth === 'user-token' && token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return headers
}

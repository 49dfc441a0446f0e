import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { openSandboxApp } from '../support/chain-app.ts'

/** The required fields of the endpoint's query and body. */
const requiredFields = ({ query, body }: EndpointSpec): readonly string[] =>
  [query, body].flatMap((part) =>
    Object.entries(part?.shape ?? {})
      .filter(([, schema]) => !schema.safeParse(undefined).success)
      .map(([name]) => name),
  )

test('401: an empty request, with no credential or an unknown one, is told every required field of the call', async () => {
  await using app = await openSandboxApp()
  const key = `stk_${'0'.repeat(46)}`
  const credentials = { 'agent-key': { 'x-api-key': key }, 'user-token': { authorization: `Bearer ${key}` } }
  let checked = 0
  for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
    const { auth, method, path } = ROUTES[name]
    const required = requiredFields(ENDPOINTS[name])
    if (auth === 'none' || required.length === 0) continue
    for (const headers of [{}, credentials[auth]]) {
      const response = await fetch(app.url + path.replaceAll(/\{\w+\}/g, 'x'), { method, headers })
      const { details = [] } = await response.json()
      const named = details.map(({ field }: { readonly field: string }) => field)
      assert.equal(response.status, 401, name)
      for (const field of required) assert(named.includes(field), `${name}: ${field} is not in [${named}]`)
      checked += 1
    }
  }
  assert(checked > 10)
})

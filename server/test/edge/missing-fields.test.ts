import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { openSandboxApp } from '../support/chain-app.ts'

/** The fields of its query and body without which a call of the endpoint is refused. */
const requiredFields = ({ query, body }: EndpointSpec): readonly string[] =>
  [query, body].flatMap((part) =>
    Object.entries(part?.shape ?? {})
      .filter(([, schema]) => !schema.safeParse(undefined).success)
      .map(([name]) => name),
  )

test('whoever sends nothing at all, or a key alone that does not do, is told every field that the call needs', async () => {
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
      const told = details.map(({ field }: { readonly field: string }) => field)
      assert.equal(response.status, 401, name)
      for (const field of required) assert(told.includes(field), `${name}: ${field} is not in [${told}]`)
      checked += 1
    }
  }
  assert(checked > 10)
})

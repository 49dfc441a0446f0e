import type { Client } from '@stakewright/client'
import { type EndpointName, ROUTES } from '@stakewright/contract'
import { ADMIN } from '../builder-agent.ts'
import { signIn } from '../registered-agent.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { type PreparedExample, prepareExample } from './prepare-example.ts'
import { withApproval } from './states.ts'
import { withoutRandomValues } from './without-random-values.ts'

/** The answer of a fresh sandbox to an endpoint's example: with all fields, even if the example selects some. */
export async function answerToExample(name: EndpointName): Promise<unknown> {
  await using app = await openTestApp({ env: { ...ADMIN, LIMIT_REGISTER_IP_HOUR: '100' } })
  const prepared = await prepareExample(app, name)
  // The client of a test app checks status and shape of every answer against the contract.
  const call = toCall(await clientFor(app, name, prepared), name)
  const { fields, ...rest } = prepared.example
  const answer = await call(prepared.example)
  return withoutRandomValues(fields === undefined ? answer : await call(rest))
}

/** The answer to a build that waits for the owner's approval. */
export async function answerBeforeApproval(): Promise<unknown> {
  await using app = await openTestApp({ env: ADMIN })
  return withoutRandomValues((await withApproval(app)).awaits)
}

/** A client with the credential that the endpoint asks for; user tokens are an admin's. */
async function clientFor(
  app: TestApp,
  name: EndpointName,
  { apiKey, token }: PreparedExample,
): Promise<Client> {
  const { auth } = ROUTES[name]
  if (token !== undefined) return app.client({ token })
  if (apiKey !== undefined) return app.client({ apiKey })
  if (auth === 'none') return app.client()
  if (auth === 'user-token') return app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await app.client().sandboxKey({ agentName: 'examples' })
  return app.client({ apiKey: data.apiKey })
}

/** Every endpoint has a method with its name, which takes the input of the contract. */
function toCall(client: Client, name: EndpointName): (input: unknown) => Promise<unknown> {
  return client[name] as (input: unknown) => Promise<unknown>
}

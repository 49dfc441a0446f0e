import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, ClientOptions, Input } from '@stakewright/client'
import { ownTokens } from '#adapters/jwt/own-tokens.ts'
import type { Clock } from '#ports/clock.ts'
import type { TestApp } from './test-app.ts'

/** The service, in this process or in its own process. */
export type Served = Pick<TestApp, 'folder'> & {
  readonly clock: Clock
  client(options?: Partial<ClientOptions>): Client
}

export type AdmittedAgent = { readonly id: string; readonly apiKey: string }

/** A token as the service itself would have issued it. */
export async function userToken(
  app: Served,
  email: string,
  role: 'user' | 'admin' = 'user',
): Promise<string> {
  const secret = (await readFile(join(app.folder, 'jwt-secret'), 'utf8')).trim()
  const tokens = ownTokens({ secret, issuer: 'stakewright', audience: 'stakewright', clock: app.clock })
  return (await tokens.issue({ email, role })).token
}

/** Registers an agent whose key works at once, for example with the limits that the test needs. */
export async function admitAgent(
  app: Served,
  fields: Partial<Input<'registerAgent'>> = {},
): Promise<AdmittedAgent> {
  const admin = app.client({ token: await userToken(app, 'admin@example.com', 'admin') })
  const { data } = await admin.registerAgent({ agentName: 'scout', email: 'ann@example.com', ...fields })
  return { id: data.id, apiKey: data.apiKey }
}

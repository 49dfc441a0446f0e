import { signIn } from './registered-agent.ts'
import type { TestApp, TestClient } from './test-app.ts'

type Tier = 'free' | 'builder' | 'pro' | 'enterprise'

/** Makes root@example.com an administrator. */
export const ADMIN = { ADMIN_EMAILS: 'root@example.com' }

/** Clients with keys of the tiers, in their order; the app must have been opened with `ADMIN`. */
export async function clientsOfTiers(app: TestApp, tiers: readonly Tier[]): Promise<readonly TestClient[]> {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const keys = tiers.map((tier) => admin.registerAgent({ agentName: `${tier} agent`, tier }))
  return (await Promise.all(keys)).map(({ data }) => app.client({ apiKey: data.apiKey }))
}

export async function clientOfTier(app: TestApp, tier: Tier): Promise<TestClient> {
  const [client] = await clientsOfTiers(app, [tier])
  if (!client) throw new Error('one tier gives one client')
  return client
}

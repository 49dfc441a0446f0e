import type { Client } from '@stakewright/client'
import { ADMIN } from '../../server/test/support/builder-agent.ts'
import { signIn } from '../../server/test/support/registered-agent.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'

/** One day, as on Ika. */
const EPOCH_MS = 86_400_000
export const EPOCHS_PER_YEAR = 365

/** A whole service with a simulated chain of its own, and an agent whose tier shows every validator. */
export type SandboxWorld = AsyncDisposable & {
  readonly agent: Client
  /** Advances past mid-epoch, when the chain selects its next committee: stakes then take one epoch longer. */
  passMiddleOfEpoch(): Promise<void>
}

/** Worlds of the same seed differ only in what is staked in them. */
export async function openSandboxWorld(seed: number): Promise<SandboxWorld> {
  await using opened = new AsyncDisposableStack()
  const env = {
    ...ADMIN,
    SANDBOX_SEED: String(seed),
    SANDBOX_EPOCH_MS: String(EPOCH_MS),
    REFRESH_MS: '30000',
    LIMIT_IP_RPM: '100000',
  }
  const app = opened.use(await openTestApp({ env }))
  const agent = await openAgent(app)
  const resources = opened.move()
  return {
    agent,
    async passMiddleOfEpoch() {
      app.clock.advance(EPOCH_MS / 2)
      await app.runJob('watch-network')
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function openAgent(app: TestApp): Promise<Client> {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await admin.registerAgent({
    agentName: 'rehearsal',
    tier: 'pro',
    rateLimits: { rpm: 100_000, rpd: 1_000_000 },
  })
  return app.client({ apiKey: data.apiKey })
}

import { TIERS } from '@stakewright/contract/limits'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { revokeAgent } from '#domain/agents/keys/revoke-agent.ts'
import { rotateKey } from '#domain/agents/keys/rotate-key.ts'
import { listAgents } from '#domain/agents/list-agents.ts'
import type { Manager } from '#domain/agents/manager.ts'
import { registerAgent } from '#domain/agents/registration/register-agent.ts'
import type { RegistrationQuota } from '#domain/agents/registration/registration-limits.ts'
import { resendVerification } from '#domain/agents/registration/resend-verification.ts'
import { selfRegister } from '#domain/agents/registration/self-register.ts'
import { verifyEmail } from '#domain/agents/registration/verify-email.ts'
import { updateAgent } from '#domain/agents/update-agent.ts'
import type { Clock } from '#ports/clock.ts'
import type { User } from '#ports/stores/users.ts'
import { DAY_MS } from '../../src/durations.ts'
import { queuedMails } from './queued-mails.ts'
import { openKeyCheck } from './usable-keys.ts'

export const ADMIN: User = { id: 'test admin', email: 'admin@example.com', role: 'admin' }
export const userOf = (email: string): User => ({ id: `test ${email}`, email, role: 'user' })

type Options = {
  readonly clock: Clock
  readonly quota?: RegistrationQuota
  readonly mailsPerAddressDay?: number
}

/** All operations on agents, on a SQLite store in the folder, with real secrets and rules. */
export async function openIdentity(
  folder: string,
  { clock, quota = ANY_NUMBER, mailsPerAddressDay = 3 }: Options,
) {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openSqlite(folder, { synchronous: 'normal' }))
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the same pepper after every restart' })
  const keys = opened.use(await openKeyCheck(store, secrets))
  const agents = sqlAgents({ db: store.db, secrets })
  const verification = {
    publicUrl: 'https://stakewright.example',
    verificationMs: DAY_MS,
    linksPerNetworkDay: mailsPerAddressDay,
    linksPerDay: mailsPerAddressDay,
  }
  const basics = { agents, secrets, clock, tiers: TIERS, verification, quota }
  const needs = { ...basics, perOwner: 1e9, notify: () => undefined }
  const resources = opened.move()
  return {
    db: store.db,
    secrets,
    selfRegister: selfRegister(needs),
    verifyEmail: (token: string) => verifyEmail(needs)(token, { client: HERE, via: 'rest' }),
    resendVerification: (email: string) => resendVerification(needs)(email, HERE),
    registerAgent: managed(registerAgent(needs)),
    listAgents: listAgents(needs),
    rotateKey: managed(rotateKey(needs)),
    revokeAgent: managed(revokeAgent(needs)),
    updateAgent: managed(updateAgent(needs)),
    works: (apiKey: string) => keys.works(secrets.digest('key', apiKey), clock.now()),
    mails: () => queuedMails(store.db, secrets),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

const ANY_NUMBER: RegistrationQuota = { perIpHour: 1e9, perIpDay: 1e9, perDay: 1e9 }

/** Adapts an operation to a caller who is only a user: over REST, from one address. */
const managed =
  <Rest extends readonly unknown[], Result>(operation: (manager: Manager, ...rest: Rest) => Result) =>
  (user: User, ...rest: Rest): Result =>
    operation({ user, client: HERE, via: 'rest' }, ...rest)

const HERE = '192.0.2.1'

export const registration = (email: string, ip = HERE) => ({
  email,
  agentName: 'yield-scout',
  agentType: 'bot' as const,
  walletAddress: undefined,
  origin: { client: ip, via: 'rest' as const },
})

export const newAgent = (wishes: Partial<Parameters<ReturnType<typeof registerAgent>>[1]> = {}) => ({
  agentName: 'yield-scout',
  agentType: 'bot' as const,
  tier: 'free' as const,
  email: undefined,
  rateLimits: undefined,
  replaces: undefined,
  ...wishes,
})

/** The token in a mail's link. */
export function tokenIn(text: string): string {
  return /\/verify\?token=([0-9a-f]{64})$/m.exec(text)?.[1] ?? ''
}

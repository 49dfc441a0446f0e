import { type Client, createClient } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { ownTokens } from '@stakewright/server/adapters/jwt/own-tokens.ts'

/** The secrets that all instances on one store must share. */
export const SECRETS = {
  KEY_PEPPER: 'the pepper of these measurements, which is long',
  JWT_SECRET: 'the token secret of these measurements, which is long',
}

/** Enough agents that instances seldom contend for the same one. */
export const AGENTS = 256
const PER_ADMIN = LIMITS.userPerMinute / 2

/** Registers agents with limits too high to matter and returns their keys. The service must run with `SECRETS`. */
export async function registerAgents(port: number, count = AGENTS): Promise<readonly string[]> {
  const baseUrl = `http://127.0.0.1:${port}`
  const keys: string[] = []
  let admin: Client | undefined
  for (let at = 0; at < count; at += 1) {
    // Each admin registers only some of the agents, because admins have a limit per minute.
    if (!admin || at % PER_ADMIN === 0)
      admin = await createClient({ baseUrl, token: await adminToken(adminEmail(count, at)) })
    const { data } = await admin.registerAgent({
      agentName: `bench ${at}`,
      tier: 'enterprise',
      rateLimits: { rpm: 1_000_000, rpd: 1_000_000_000 },
    })
    keys.push(data.apiKey)
  }
  return keys
}

/** The admin who registers the agent at this place of so many. */
export const adminEmail = (count: number, at: number) => `admin${at}of${count}@example.com`

export async function adminToken(email: string): Promise<string> {
  const issuer = { secret: SECRETS.JWT_SECRET, issuer: 'stakewright', audience: 'stakewright' }
  return (await ownTokens({ ...issuer, clock: { now: () => Date.now() } }).issue({ email, role: 'admin' }))
    .token
}

/** The headers of a request with this key, from an address of its own, as forwarded by one proxy. */
const headOf = (key: string, at: number) =>
  `host: bench\r\nx-forwarded-for: 198.51.100.${at % 256}\r\nx-api-key: ${key}\r\n`

/** `GET …/agent/metadata` once per key. */
export function metadataRequests(keys: readonly string[]): readonly string[] {
  return keys.map((key, at) => `GET /api/v1/staking/agent/metadata HTTP/1.1\r\n${headOf(key, at)}\r\n`)
}

/** `POST …/agent/rebalance-plan` once per key, each for ten positions of its own. */
export async function rebalanceRequests(keys: readonly string[], port: number): Promise<readonly string[]> {
  const { data } = await createClient({ baseUrl: `http://127.0.0.1:${port}` }).validators({})
  const validators = data.filter(({ status }) => status === 'active')
  return keys.map((key, at) => {
    const positions = Array.from({ length: 10 }, (_, place) => ({
      stakedTokenId: `0x${(1 + at * 10 + place).toString(16).padStart(64, '0')}`,
      validatorId: validators[(at + place * 7) % validators.length]?.id,
      principal: String((1 + place) * 1_000_000_000_000 + at),
    }))
    const body = JSON.stringify({ positions })
    const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
    return `POST /api/v1/staking/agent/rebalance-plan HTTP/1.1\r\n${headOf(key, at)}${type}\r\n${body}`
  })
}

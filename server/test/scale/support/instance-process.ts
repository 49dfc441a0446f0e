import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { TIERS } from '@stakewright/contract/limits'
import { auditSeal } from '#adapters/sql/audit/seal.ts'
import { openPostgresAdmission } from '#adapters/sql/postgres/admission.ts'
import { postgresLeases } from '#adapters/sql/postgres/leases.ts'
import { openPostgresTraffic } from '#adapters/sql/postgres/traffic.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admissionRules } from '#domain/limits/admission-rules.ts'
import { DAY_MS, HOUR_MS } from '../../../src/durations.ts'
import { waitForStore } from '../../../src/wait-for-store.ts'
import { openWithLongTimeouts } from '../../support/services/test-postgres.ts'
import { silentLogger } from '../../support/silent-logger.ts'

/** Work that a test gives to an instance. */
export type Work =
  /** `requests` admissions of a key at the time `at`, `inFlight` of them concurrently. */
  | {
      readonly kind: 'admit'
      readonly digest: string
      readonly at: number
      readonly requests: number
      readonly inFlight: number
    }
  | { readonly kind: 'register'; readonly address: string; readonly at: number; readonly count: number }
  | { readonly kind: 'traffic'; readonly at: number; readonly hits: number }
  | { readonly kind: 'lease'; readonly forMs: number }

export type WorkDone = {
  readonly admitted: number
  /** The highest count in a decision. */
  readonly highest: number
}

const LIMITS = { perAddressHour: 3, perDay: 10 }

let now = 0
const clock = { now: () => now }
const store = await openWithLongTimeouts(process.argv[2] ?? '')
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const instance = randomUUID()
// Retries like the service: several instances that start at once block each other.
const admission = await waitForStore(
  () =>
    openPostgresAdmission({
      store,
      rules: admissionRules({ tiers: TIERS }),
      secrets,
      seal: auditSeal('the secret of these tests'),
      clock,
      logger: silentLogger,
      instance,
    }),
  { logger: silentLogger, stopping: new AbortController().signal },
)
assert(admission)
const agents = sqlAgents({ db: store.db, secrets })
const leases = postgresLeases({ db: store.db, instance })
const traffic = openPostgresTraffic({ store, clock, instance, perMinute: 100 })

const DO = {
  async admit({ digest, at, requests, inFlight }: Extract<Work, { kind: 'admit' }>): Promise<WorkDone> {
    const claim = { kind: 'agent-key', digest: () => digest } as const
    let left = requests
    let admitted = 0
    let highest = 0
    const ask = async () => {
      for (; left > 0; ) {
        left -= 1
        const decision = await admission.admit({ claim, endpoint: 'usage', at, truncatedAddress: '' })
        if (decision.kind === 'admitted') admitted += 1
        if (decision.kind === 'admitted') highest = Math.max(highest, decision.quota?.usedMinute ?? 0)
      }
    }
    await Promise.all(Array.from({ length: inFlight }, ask))
    return { admitted, highest }
  },
  async register({ address, at, count }: Extract<Work, { kind: 'register' }>): Promise<WorkDone> {
    const outcomes = await Promise.all(
      Array.from({ length: count }, () => agents.selfRegister(stranger(address, at))),
    )
    const admitted = outcomes.filter(({ kind }) => kind === 'registered').length
    return { admitted, highest: 0 }
  },
  async traffic({ hits }: Extract<Work, { kind: 'traffic' }>): Promise<WorkDone> {
    let admitted = 0
    let highest = 0
    for (let hit = 0; hit < hits; hit += 1) {
      const { ofAddresses, before } = await traffic.count([{ low: 1, high: 2, hits: 1 }])
      if ((ofAddresses[0] ?? 0) <= 100) admitted += 1
      highest = Math.max(highest, before)
    }
    return { admitted, highest }
  },
  async lease({ forMs }: Extract<Work, { kind: 'lease' }>): Promise<WorkDone> {
    const { isHeld: isOurs } = await leases.hold('jobs', forMs)
    return { admitted: isOurs ? 1 : 0, highest: 0 }
  },
}

function stranger(address: string, at: number): Parameters<typeof agents.selfRegister>[0] {
  const id = randomUUID()
  const owner = `${id}@example.com`
  return {
    agent: {
      id,
      owner,
      name: 'stranger',
      type: 'other',
      walletAddress: undefined,
      identityTier: 'unverified',
      tier: 'free',
      storedStatus: 'pending_verification',
      customLimits: undefined,
      createdAt: at,
      verifyBy: at + DAY_MS,
      verifiedAt: undefined,
      key: { digest: id, prefix: id.slice(0, 12) },
    },
    record: {
      action: 'self-register',
      at,
      actor: { kind: 'anybody', id: undefined, role: undefined },
      truncatedAddress: '203.0.113.0',
      via: 'rest',
    },
    token: { digest: id, expiresAt: at + DAY_MS },
    mail: { to: owner, subject: '', text: '', html: '' },
    mailCaps: [{ key: owner, limit: 3, since: at - DAY_MS, now: at }],
    limits: [
      {
        name: 'ip-hour',
        key: address,
        windowStart: at,
        windowEnd: at + HOUR_MS,
        latestStart: at,
        limit: LIMITS.perAddressHour,
      },
      {
        name: 'global-day',
        key: '',
        windowStart: at,
        windowEnd: at + DAY_MS,
        latestStart: at,
        limit: LIMITS.perDay,
      },
    ],
  }
}

process.on('message', async (work: Work) => {
  if ('at' in work) now = work.at
  process.send?.(await run(work))
})
process.send?.('ready')

function run(work: Work): Promise<WorkDone> {
  if (work.kind === 'admit') return DO.admit(work)
  if (work.kind === 'register') return DO.register(work)
  return work.kind === 'traffic' ? DO.traffic(work) : DO.lease(work)
}

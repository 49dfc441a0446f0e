import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Input } from '@stakewright/client'
import type { Contender } from '../contenders/contender.ts'
import { startOn } from '../contenders/stakewright-contender.ts'
import { adminToken } from '../support/agent-keys.ts'
import { compare, ratioOf } from '../support/compare.ts'

const RULES: Input<'writePolicy'>['rules'] = [
  { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
  { rule: 'networks', allow: ['sandbox'] },
  { rule: 'maxPerTx', amount: '1000000000000000' },
  { rule: 'minScore', score: 1 },
  { rule: 'maxCommission', commission: 1 },
  { rule: 'expires', at: '2100-01-01T00:00:00Z' },
]

/** A rule that reads earlier reservations and stores its own in a second commit. */
const WINDOW: Input<'writePolicy'>['rules'][number] = {
  rule: 'maxPerWindow',
  window: '30days',
  amount: '18446744073709551615',
}

/** The most that a policy may cost requests that build nothing, as a ratio of processor time. */
const MAX_FOR_READS = 1.03

/** Compares keys with and without a policy, for requests that build nothing and for builds. */
export async function benchPolicies(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const ours = opened.use(await startOn('stakewright', folder))
  const baseUrl = `http://127.0.0.1:${ours.port}`
  const admin = createClient({ baseUrl, token: await adminToken('admin@example.com') })
  const register = async (agentName: string) => {
    const rateLimits = { rpm: 1_000_000, rpd: 1_000_000_000 }
    return (await admin.registerAgent({ agentName, tier: 'enterprise', rateLimits })).data
  }
  const [free, held, windowed] = [await register('free'), await register('held'), await register('windowed')]
  await admin.writePolicy({ id: held.id, rules: RULES })
  await admin.writePolicy({ id: windowed.id, rules: [...RULES, WINDOW] })
  const { data } = await createClient({ baseUrl }).validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const keys = { 'without a policy': free.apiKey, 'with a policy': held.apiKey }
  await compareKeys(`GET …/agent/metadata (at most ${MAX_FOR_READS} ×)`, ours, keys, metadataOf)
  const stake = (apiKey: string) => stakeOf(apiKey, validatorId)
  await compareKeys('POST …/agent/tx/stake', ours, keys, stake)
  const counted = { 'without a policy': free.apiKey, 'with a policy': windowed.apiKey }
  await compareKeys('POST …/agent/tx/stake, with a limit per 30 days', ours, counted, stake)
}

const headOf = (apiKey: string) => `host: bench\r\nx-api-key: ${apiKey}\r\n`

const metadataOf = (apiKey: string) => `GET /api/v1/staking/agent/metadata HTTP/1.1\r\n${headOf(apiKey)}\r\n`

function stakeOf(apiKey: string, validatorId: string): string {
  const body = JSON.stringify({ validatorId, amount: '5000000000' })
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return `POST /api/v1/staking/agent/tx/stake HTTP/1.1\r\n${headOf(apiKey)}${type}\r\n${body}`
}

async function compareKeys(
  what: string,
  ours: Contender,
  keys: Readonly<Record<string, string>>,
  requestOf: (apiKey: string) => string,
): Promise<void> {
  const workloads = Object.entries(keys).map(([name, apiKey]) => ({
    contender: { ...ours, name },
    request: requestOf(apiKey),
    expectStatus: 200,
  }))
  const rounds = await compare(workloads)
  const ratio = ratioOf(
    rounds.get('without a policy') ?? [],
    rounds.get('with a policy') ?? [],
    'perCpuSecond',
  )
  console.log(`\n${what}: with a policy ${ratio} × the processor time of a key without one`)
}

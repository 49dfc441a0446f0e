import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@stakewright/client'
import { openSecrets } from '@stakewright/server/adapters/system/system-secrets.ts'
import { startOn } from '../contenders/stakewright-contender.ts'
import { adminToken } from '../support/agent-keys.ts'
import { askInterleaved, type Kinds, reportTimes } from '../support/timing.ts'

const ROUNDS = 3_000
const WARM_UP = 300

/**
 * Checks whether the latency of a refusal reveals what was wrong with a key. An AUC of 0.5 is a coin toss: one answer
 * does not tell the two kinds apart.
 */
export async function benchKeyTiming(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    await using server = await startOn('stakewright', join(folder, 'data'), { LOG_LEVEL: 'error' })
    const token = await adminToken('admin@example.com')
    const kinds = await keysOfEveryKind(`http://127.0.0.1:${server.port}`, token)
    const plan = { port: server.port, rounds: ROUNDS, warmUp: WARM_UP, expectStatus: 401 }
    const times = await askInterleaved(kinds, plan)
    console.log(`\nRefused keys: ${ROUNDS} requests with each, interleaved`)
    reportTimes(times)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function keysOfEveryKind(baseUrl: string, token: string): Promise<Kinds> {
  const owner = createClient({ baseUrl, token })
  const { data: revoked } = await owner.registerAgent({ agentName: 'revoked', tier: 'builder' })
  await owner.revokeAgent({ id: revoked.id })
  const { data: active } = await owner.registerAgent({ agentName: 'active', tier: 'builder' })
  const { data: pending } = await createClient({ baseUrl }).selfRegister({
    agentName: 'pending',
    email: 'pending@example.com',
  })
  const invent = openSecrets({ keyPrefix: 'stk', pepper: 'no pepper of the server' })
  const keys = new Map([
    ['unknown', () => invent.newApiKey()],
    ['unknown, with the first 12 characters of a real one', () => withPrefix(invent, active.keyPrefix)],
    ['revoked', () => revoked.apiKey],
    ['pending', () => pending.apiKey],
    ['malformed: wrong checksum', () => `${invent.newApiKey().slice(0, -6)}000000`],
  ])
  return new Map([...keys].map(([kind, key]) => [kind, () => requestWith(key())]))
}

const requestWith = (key: string): string =>
  `GET /api/v1/staking/agent/metadata HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n\r\n`

/** A well-formed key with the displayed prefix of a real one, by brute force because the checksum covers the prefix. */
function withPrefix(invent: ReturnType<typeof openSecrets>, prefix: string): string {
  const drawn = openSecrets({
    keyPrefix: prefix.slice(0, 3),
    pepper: '',
    random: startingWith(prefix.slice(4)),
  })
  const key = drawn.newApiKey()
  return invent.isApiKey(key) ? key : withPrefix(invent, prefix)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const startingWith = (start: string) => (bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, at) =>
    at < start.length ? BASE62.indexOf(start[at] ?? '0') : Math.floor(Math.random() * 248),
  )

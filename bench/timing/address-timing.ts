import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@stakewright/client'
import { findInMail } from '../../examples/mail-folder.ts'
import { startStakewright } from '../contenders/stakewright-contender.ts'
import { askInterleaved, reportTimes } from '../support/timing.ts'

const ROUNDS = 500
const WARM_UP = 50
const LIMITS = ['REGISTER_IP_HOUR', 'REGISTER_IP_DAY', 'REGISTER_DAY']
const VERIFY_LINK = /\/verify\?token=([0-9a-f]{64})/

/**
 * Checks whether the latency of an answer reveals if an e-mail address is known. An AUC of 0.5 is a coin toss. An
 * address gets at most three mails a day, so unknown and unverified ones are used once.
 */
export async function benchAddressTiming(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    const dataDir = join(folder, 'data')
    const free = Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, '1000000']))
    const env = { ...free, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
    await using server = await startStakewright('stakewright', env)
    const anybody = createClient({ baseUrl: `http://127.0.0.1:${server.port}` })
    const addresses = await addressesOfEveryKind(anybody, dataDir)
    const plan = { port: server.port, rounds: ROUNDS, warmUp: WARM_UP }
    for (const { what, status, path, body } of ASKED) {
      const kinds = [...addresses].map(([kind, next]): [string, () => string] => [
        kind,
        () => post(path, body(next())),
      ])
      const times = await askInterleaved(new Map(kinds), { ...plan, expectStatus: status })
      console.log(`\n${what}: ${ROUNDS} requests with each, interleaved`)
      reportTimes(times)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ASKED = [
  {
    what: 'Another link',
    status: 202,
    path: '/api/v1/agents/verify/resend',
    body: (email: string) => ({ email }),
  },
  {
    what: 'Registrations',
    status: 201,
    path: '/api/v1/agents/self-register',
    body: (email: string) => ({ email, agentName: 'bench' }),
  },
]

async function addressesOfEveryKind(anybody: Client, dataDir: string) {
  const register = (email: string) => anybody.selfRegister({ email, agentName: 'bench' })
  const verified = 'verified@example.com'
  await register(verified)
  await anybody.verifyEmail({ token: await findInMail(dataDir, verified, VERIFY_LINK) })
  const flooded = 'flooded@example.com'
  for (let mails = 0; mails < 4; mails += 1) await register(flooded)
  const pending = Array.from({ length: ASKED.length * (ROUNDS + WARM_UP) }, (_, at) => `p${at}@example.com`)
  for (const email of pending) await register(email)
  let unknown = 0
  let used = 0
  return new Map([
    ['unknown', () => `u${unknown++}@example.com`],
    ['known, not verified', () => pending[used++] ?? ''],
    ['known and verified', () => verified],
    ['known, and gets no more mails today', () => flooded],
  ])
}

function post(path: string, body: unknown): string {
  const json = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`
}

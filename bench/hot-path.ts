import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@stakewright/client'
import { codeOf, newestMail } from '../server/test/support/services/mail-files.ts'
import type { Contender } from './contenders/contender.ts'
import { recordAnswer } from './contenders/recorded-answer.ts'
import { compareAndPrint, startBoth } from './support/beside-bare.ts'
import { compare, ratioOf } from './support/compare.ts'

export const ADMIN = 'bench@example.com'
const PATHS = ['/api/v1/staking/agent/metadata', '/api/v1/staking/agent/validators/scored']

/** Compares the whole hot path (key, quota and audit, durable before the answer) with bare `node:http`. */
export async function benchHotPath(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataOf = (place: number) => join(folder, String(place))
  const contenders = await startBoth(dataOf, { ADMIN_EMAILS: ADMIN })
  for (const contender of contenders) opened.use(contender)
  const keyed = await Promise.all(
    contenders.map(async (contender, place) => ({
      contender,
      apiKey: await keyWithoutLimits(contender, dataOf(place)),
    })),
  )
  const [ours] = keyed
  if (!ours) return
  for (const path of PATHS) {
    const url = `http://127.0.0.1:${ours.contender.port}${path}`
    console.log(`\nGET ${path}: key, quota and audit durable before the answer`)
    const workloads = keyed.map(({ contender, apiKey }) => ({
      contender,
      request: `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${apiKey}\r\n\r\n`,
      expectStatus: 200,
    }))
    await compareAndPrint(workloads, await recordAnswer(folder, url, { 'x-api-key': ours.apiKey }))
  }
  await compareAllocate(ours.contender, ours.apiKey)
}

/** Different amounts, so that no answer comes from a cache: from a thousand tokens to a hundred million. */
const AMOUNTS = Array.from({ length: 256 }, (_, at) => String(Math.round(10 ** (12 + (5 * at) / 255))))

/** Compares an allocation with `metadata`, the cheapest answer for a key. */
async function compareAllocate(ours: Contender, apiKey: string): Promise<void> {
  const head = `host: bench\r\nx-api-key: ${apiKey}\r\n`
  const rounds = await compare([
    {
      contender: { ...ours, name: 'allocate' },
      request: AMOUNTS.map((amount) => {
        const body = JSON.stringify({ amount, maxValidators: 10 })
        const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
        return `POST /api/v1/staking/agent/allocate HTTP/1.1\r\n${head}${type}\r\n${body}`
      }),
      expectStatus: 200,
    },
    {
      contender: { ...ours, name: 'metadata' },
      request: `GET ${PATHS[0]} HTTP/1.1\r\n${head}\r\n`,
      expectStatus: 200,
    },
  ])
  const ratio = ratioOf(rounds.get('metadata') ?? [], rounds.get('allocate') ?? [], 'perCpuSecond')
  console.log(`\nPOST …/agent/allocate over 150 validators: ${ratio} × the processor time of metadata`)
}

/** Registers an enterprise agent with the highest possible limits, as an operator would, and returns its key. */
export async function keyWithoutLimits(ours: Contender, dataDir: string): Promise<string> {
  const baseUrl = `http://127.0.0.1:${ours.port}`
  const token = await signInByMail(ours, dataDir)
  const registered = await createClient({ baseUrl, token }).registerAgent({
    agentName: 'bench',
    tier: 'enterprise',
    rateLimits: { rpm: 1_000_000, rpd: 1_000_000_000 },
  })
  return registered.data.apiKey
}

/** Signs in with the address in the contender's ADMIN_EMAILS, as every version of the service allows. */
async function signInByMail({ port }: Contender, dataDir: string): Promise<string> {
  const baseUrl = `http://127.0.0.1:${port}`
  await createClient({ baseUrl }).requestCode({ email: ADMIN })
  const mail = await untilFound(() => newestMail(dataDir, ADMIN))
  const { data } = await createClient({ baseUrl }).exchangeCode({ email: ADMIN, code: codeOf(mail) })
  return data.accessToken
}

async function untilFound<T>(find: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await find()
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@stakewright/client'
import { codeOf, newestMail } from '../server/test/mail-files.ts'
import { compare, ratioOf } from './compare.ts'
import { type Contender, startContender } from './contender.ts'
import { report, UNLIMITED } from './public-data.ts'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const ADMIN = 'bench@example.com'
const PATHS = ['/api/v1/staking/agent/metadata', '/api/v1/staking/agent/validators/scored']

/**
 * The whole hot path — key, quota, audit, each durable before the answer — against bare `node:http` sending the same
 * bytes.
 */
export async function benchHotPath(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    const data = join(folder, 'data')
    await using ours = await startContender('stakewright', fileOf('stakewright-server.ts'), {
      ...UNLIMITED,
      DATA_DIR: data,
      ADMIN_EMAILS: ADMIN,
    })
    const apiKey = await keyWithoutLimits(ours, data)
    for (const path of PATHS) {
      const response = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
        headers: { 'x-api-key': apiKey },
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      const body = join(folder, 'body')
      writeFileSync(body, bytes)
      await using bare = await startContender('bare', fileOf('bare-server.ts'), {
        BENCH_BODY: body,
        BENCH_HEADERS: JSON.stringify({
          'content-type': 'application/json; charset=utf-8',
          'content-length': bytes.length,
        }),
      })
      const request = `GET ${path} HTTP/1.1\r\nhost: bench\r\nx-api-key: ${apiKey}\r\n\r\n`
      console.log(`\nGET ${path}: ${bytes.length} bytes; key, quota and audit durable before the answer`)
      report(
        '200',
        await compare([ours, bare].map((contender) => ({ contender, request, expectStatus: 200 }))),
        'bare',
      )
    }
    await compareAllocate(ours, apiKey)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Different amounts, so that no answer can be an earlier one: from a thousand tokens to a hundred million. */
const AMOUNTS = Array.from({ length: 256 }, (_, at) => String(Math.round(10 ** (12 + (5 * at) / 255))))

/** What a whole allocation costs beside the cheapest answer that a key can get. */
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

/** A pro agent whose limits are the highest that can be set, made the way an operator makes one. */
export async function keyWithoutLimits(ours: Contender, dataDir: string): Promise<string> {
  const baseUrl = `http://127.0.0.1:${ours.port}`
  const token = await adminToken(ours, dataDir)
  const registered = await createClient({ baseUrl, token }).registerAgent({
    agentName: 'bench',
    tier: 'enterprise',
    rateLimits: { rpm: 1_000_000, rpd: 1_000_000_000 },
  })
  return registered.data.apiKey
}

/** Of the address that the contender has in its ADMIN_EMAILS. */
export async function adminToken({ port }: Contender, dataDir: string): Promise<string> {
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

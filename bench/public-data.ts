import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare, medianOf, ratioOf } from './compare.ts'
import { startContender } from './contender.ts'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export const UNLIMITED = { LIMIT_IP_RPM: '100000000', LIMIT_GLOBAL_RPM: '100000000' }

/** `GET …/validators` with 150 validators, 200 and 304, against bare `node:http` sending the same bytes. */
export async function benchPublicData(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    await using ours = await startContender('stakewright', fileOf('stakewright-server.ts'), {
      ...UNLIMITED,
      DATA_DIR: join(folder, 'data'),
    })
    const path = '/api/v1/staking/validators'
    const response = await fetch(`http://127.0.0.1:${ours.port}${path}`)
    const body = join(folder, 'body')
    const bytes = Buffer.from(await response.arrayBuffer())
    writeFileSync(body, bytes)
    const headers = JSON.stringify({
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    })
    await using bare = await startContender('bare', fileOf('bare-server.ts'), {
      BENCH_BODY: body,
      BENCH_HEADERS: headers,
    })
    await using bare304 = await startContender('bare 304', fileOf('bare-server.ts'), {
      BENCH_BODY: body,
      BENCH_STATUS: '304',
    })
    console.log(`\nGET ${path}: ${bytes.length} bytes, 150 validators`)
    const request = `GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`
    const full = await compare([
      { contender: ours, request, expectStatus: 200 },
      { contender: bare, request, expectStatus: 200 },
    ])
    report('200', full, 'bare')
    const known = `GET ${path} HTTP/1.1\r\nhost: bench\r\nif-none-match: ${response.headers.get('etag')}\r\n\r\n`
    const unchanged = await compare([
      { contender: ours, request: known, expectStatus: 304 },
      { contender: bare304, request: known, expectStatus: 304 },
    ])
    report('304', unchanged, 'bare 304')
    console.log(`  start to first answer  ${Math.round(ours.startedInMs)} ms`)
    console.log(`  resident memory        ${Math.round(ours.residentMb())} MB after the load`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function report(what: string, rounds: Awaited<ReturnType<typeof compare>>, against: string): void {
  const ours = rounds.get('stakewright') ?? []
  const theirs = rounds.get(against) ?? []
  console.log(
    `  ${what}: requests per CPU second ${ratioOf(ours, theirs, 'perCpuSecond')} of ${against}` +
      ` (${Math.round(medianOf(ours, 'perCpuSecond'))} against ${Math.round(medianOf(theirs, 'perCpuSecond'))});` +
      ` p99 ${ratioOf(ours, theirs, 'p99Ms')} ×`,
  )
}

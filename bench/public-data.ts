import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startBare, startTerse } from './bare-contender.ts'
import { type Course, compare, medianOf, ratioOf } from './compare.ts'
import { type Contender, startContender } from './contender.ts'
import { readAnswer, recordAnswer } from './recorded-answer.ts'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export const UNLIMITED = { LIMIT_IP_RPM: '100000000', LIMIT_GLOBAL_RPM: '100000000' }

/**
 * `GET …/validators` with 150 validators, 200 and 304, against bare `node:http` sending the same bytes, head and body;
 * and against one that has only two headers to send.
 */
export async function benchPublicData(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  const start = (data: string) =>
    startContender('stakewright', fileOf('stakewright-server.ts'), {
      ...UNLIMITED,
      DATA_DIR: join(folder, data),
    })
  try {
    const restartedInMs = await timeSecondStart(() => start('kept'))
    await using ours = await start('new')
    const residentAtStart = ours.residentMb()
    const path = '/api/v1/staking/validators'
    const url = `http://127.0.0.1:${ours.port}${path}`
    const head = `GET ${path} HTTP/1.1\r\nhost: bench\r\n`
    const answer = await recordAnswer(folder, url)
    const { body, headers } = readAnswer(answer)
    console.log(`\nGET ${path}: ${body.length} bytes, 150 validators`)
    {
      await using bare = await startBare(answer)
      await using terse = await startTerse(answer)
      const request = `${head}\r\n`
      report('200', await compare([ours, bare, terse].map((each) => expecting(200, each, request))))
    }
    const known = { 'if-none-match': headers['etag'] ?? '' }
    const unchanged = await recordAnswer(folder, url, known)
    await using bare = await startBare(unchanged)
    await using terse = await startTerse(unchanged)
    const request = `${head}if-none-match: ${known['if-none-match']}\r\n\r\n`
    report('304', await compare([ours, bare, terse].map((each) => expecting(304, each, request))))
    console.log(
      `  start to first answer  ${Math.round(ours.startedInMs)} ms, on data of before ${Math.round(restartedInMs)} ms;` +
        ' code compiled before, as npm start finds it',
    )
    console.log(
      `  resident memory        ${Math.round(residentAtStart)} MB after the start,` +
        ` ${Math.round(ours.residentMb())} MB after the load`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The first start leaves its code compiled, as an installation does, and data for the second to find. */
async function timeSecondStart(start: () => Promise<Contender>): Promise<number> {
  const first = await start()
  await first[Symbol.asyncDispose]()
  await using second = await start()
  return second.startedInMs
}

export const expecting = (expectStatus: number, contender: Contender, request: string): Course => ({
  contender,
  request,
  expectStatus,
})

export function report(what: string, rounds: Awaited<ReturnType<typeof compare>>): void {
  const ours = rounds.get('stakewright') ?? []
  for (const [against, theirs] of rounds) {
    if (theirs === ours) continue
    console.log(
      `  ${what}: requests per CPU second ${ratioOf(ours, theirs, 'perCpuSecond')} of ${against}` +
        ` (${Math.round(medianOf(ours, 'perCpuSecond'))} against ${Math.round(medianOf(theirs, 'perCpuSecond'))});` +
        ` p99 ${ratioOf(ours, theirs, 'p99Ms')} ×`,
    )
  }
}

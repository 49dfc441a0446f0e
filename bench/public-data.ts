import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contender } from './contenders/contender.ts'
import { readAnswer, recordAnswer } from './contenders/recorded-answer.ts'
import { compareWithBare, printBesideBare, startBoth } from './support/beside-bare.ts'
import type { Rounds, Workload } from './support/compare.ts'

const PATH = '/api/v1/staking/validators'

/** Memory layout alone changes the figures of a process by several percent, so ours and bare are restarted several times. */
const STARTS = 4
const ROUNDS_PER_START = 3

/** Compares `GET …/validators` with 150 validators, as 200 and as 304, with bare `node:http` sending the same bytes. */
export async function benchPublicData(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const restarted = await timeSecondStart((place) => join(folder, `kept-${place}`))
  console.log(`\nGET ${PATH}: 150 validators, counted and audited before the answer; ${STARTS} starts`)
  const whole: Rounds[] = []
  const notModified: Rounds[] = []
  let answers = { whole: '', notModified: '' }
  let starts: readonly string[] = []
  for (let start = 0; start < STARTS; start += 1) {
    await using running = new AsyncDisposableStack()
    const contenders = await startBoth((place) => join(folder, `new-${start}-${place}`))
    for (const contender of contenders) running.use(contender)
    answers = await recordAnswers(folder, contenders[0]?.port)
    whole.push(await compareSending(contenders, answers.whole))
    notModified.push(await compareSending(contenders, answers.notModified))
    starts = contenders.map((contender, place) => describeStart(contender, restarted[place] ?? 0))
  }
  printBesideBare(whole, answers.whole)
  printBesideBare(notModified, answers.notModified)
  console.log(
    '  start to first answer, with the code compiled before, as npm start finds it; resident memory',
  )
  for (const start of starts) console.log(start)
}

/** Times a second start: the first one fills the compile cache, as an installation does, and the data folder. */
async function timeSecondStart(folderOf: (place: number) => string): Promise<readonly number[]> {
  for (const first of await startBoth(folderOf)) await first[Symbol.asyncDispose]()
  const second = await startBoth(folderOf)
  for (const contender of second) await contender[Symbol.asyncDispose]()
  return second.map(({ startedInMs }) => startedInMs)
}

async function recordAnswers(folder: string, port: number | undefined) {
  const url = `http://127.0.0.1:${port}${PATH}`
  const whole = await recordAnswer(folder, url)
  return { whole, notModified: await recordAnswer(folder, url, { 'if-none-match': etagOf(whole) }) }
}

const etagOf = (answer: string) => readAnswer(answer).headers['etag'] ?? ''

function compareSending(contenders: readonly Contender[], answer: string): Promise<Rounds> {
  const { status } = readAnswer(answer)
  const condition = status === 304 ? `if-none-match: ${etagOf(answer)}\r\n` : ''
  const request = `GET ${PATH} HTTP/1.1\r\nhost: bench\r\n${condition}\r\n`
  const workloads = contenders.map((contender): Workload => ({ contender, request, expectStatus: status }))
  return compareWithBare(workloads, answer, ROUNDS_PER_START)
}

const describeStart = (
  { name, startedInMs, residentAtStartMb, residentMb }: Contender,
  restartedInMs: number,
) =>
  `  ${name}: ${Math.round(startedInMs)} ms, on data of before ${Math.round(restartedInMs)} ms;` +
  ` ${Math.round(residentAtStartMb)} MB after the start, ${Math.round(residentMb())} MB after the load`

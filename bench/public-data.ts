import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { besideBare, startBoth } from './beside-bare.ts'
import { readAnswer, recordAnswer } from './recorded-answer.ts'

const PATH = '/api/v1/staking/validators'

/** `GET …/validators` with 150 validators, 200 and 304, against bare `node:http` sending the same bytes. */
export async function benchPublicData(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const restarted = await timeSecondStart((place) => join(folder, `kept-${place}`))
  const contenders = await startBoth((place) => join(folder, `new-${place}`))
  for (const contender of contenders) opened.use(contender)
  const url = `http://127.0.0.1:${contenders[0]?.port}${PATH}`
  console.log(`\nGET ${PATH}: 150 validators, counted and audited before the answer`)
  const head = `GET ${PATH} HTTP/1.1\r\nhost: bench\r\n`
  const answer = await recordAnswer(folder, url)
  await besideBare(
    contenders.map((contender) => ({ contender, request: `${head}\r\n`, expectStatus: 200 })),
    answer,
  )
  const etag = readAnswer(answer).headers['etag'] ?? ''
  const request = `${head}if-none-match: ${etag}\r\n\r\n`
  await besideBare(
    contenders.map((contender) => ({ contender, request, expectStatus: 304 })),
    await recordAnswer(folder, url, { 'if-none-match': etag }),
  )
  console.log(
    '  start to first answer, with the code compiled before, as npm start finds it; resident memory',
  )
  for (const [at, { name, startedInMs, residentAtStartMb, residentMb }] of contenders.entries()) {
    console.log(
      `  ${name}: ${Math.round(startedInMs)} ms, on data of before ${Math.round(restarted[at] ?? 0)} ms;` +
        ` ${Math.round(residentAtStartMb)} MB after the start, ${Math.round(residentMb())} MB after the load`,
    )
  }
}

/** The first start leaves its code compiled, as an installation does, and data for the second to find. */
async function timeSecondStart(folderOf: (place: number) => string): Promise<readonly number[]> {
  for (const first of await startBoth(folderOf)) await first[Symbol.asyncDispose]()
  const second = await startBoth(folderOf)
  for (const contender of second) await contender[Symbol.asyncDispose]()
  return second.map(({ startedInMs }) => startedInMs)
}

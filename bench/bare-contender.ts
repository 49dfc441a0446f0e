import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contender, startContender } from './contender.ts'

const PROGRAM = fileURLToPath(new URL('bare-server.ts', import.meta.url))

/** What the service answers to `GET …/agent/metadata`, as a file. */
export async function answerFile(folder: string, port: number, apiKey: string): Promise<string> {
  const url = `http://127.0.0.1:${port}/api/v1/staking/agent/metadata`
  const response = await fetch(url, { headers: { 'x-api-key': apiKey } })
  if (!response.ok) throw new Error(`the service answers ${response.status}: ${await response.text()}`)
  const file = join(folder, 'answer.json')
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  return file
}

/** Bare `node:http` that sends the file. */
export function startBare(file: string): Promise<Contender> {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': statSync(file).size,
  }
  return startContender('bare node:http', PROGRAM, {
    BENCH_BODY: file,
    BENCH_HEADERS: JSON.stringify(headers),
  })
}

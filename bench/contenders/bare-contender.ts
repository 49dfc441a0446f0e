import { fileURLToPath } from 'node:url'
import { type Contender, startContender } from './contender.ts'
import { recordAnswer } from './recorded-answer.ts'

const PROGRAM = fileURLToPath(new URL('bare-server.ts', import.meta.url))

export const BARE = 'bare node:http'
export const TERSE = 'bare node:http, two headers'

/** Records the service's answer to `GET …/agent/metadata` in a file. */
export const answerFile = (folder: string, port: number, apiKey: string): Promise<string> =>
  recordAnswer(folder, `http://127.0.0.1:${port}/api/v1/staking/agent/metadata`, { 'x-api-key': apiKey })

/** Bare `node:http` that sends the recorded answer, header by header and byte by byte. */
export const startBare = (answer: string): Promise<Contender> =>
  startContender(BARE, PROGRAM, { BENCH_ANSWER: answer })

/** The same with only the headers that a body needs. */
export const startTerse = (answer: string): Promise<Contender> =>
  startContender(TERSE, PROGRAM, { BENCH_ANSWER: answer, BENCH_HEAD: 'terse' })

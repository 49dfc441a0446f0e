import { setTimeout } from 'node:timers/promises'
import { until } from '../../support/until.ts'
import { METADATA } from './services.ts'

export type Answer = {
  readonly url: string
  readonly startedAt: number
  readonly endedAt: number
  /** `cut`: the connection ended without an answer. */
  readonly status: number | 'cut'
}

export type SteadyLoad = {
  readonly answers: readonly Answer[]
  /** How late a pause of the load itself has ended at most: what the machine alone costs, without any service. */
  stallMs(): number
  /** When every one of these has served a request that began after now, in milliseconds from now. */
  untilServed(urls: readonly string[]): Promise<number>
  stop(): Promise<readonly Answer[]>
}

const LANES_PER_SERVICE = 4
/** Enough requests to meet every fault, without using up the processor that the services need to come back. */
const PAUSE_MS = 5

/** Requests with one key to every service, one soon after the other, until it is stopped. */
export function startLoad(urls: readonly string[], apiKey: string): SteadyLoad {
  const answers: Answer[] = []
  let stallMs = 0
  let isOver = false

  async function ask(url: string): Promise<Answer> {
    const startedAt = performance.now()
    const status = await fetch(url + METADATA, { headers: { 'x-api-key': apiKey } }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 'cut' as const,
    )
    return { url, startedAt, endedAt: performance.now(), status }
  }

  async function keepAsking(url: string): Promise<void> {
    while (!isOver) {
      answers.push(await ask(url))
      const pausedAt = performance.now()
      await setTimeout(PAUSE_MS)
      stallMs = Math.max(stallMs, performance.now() - pausedAt - PAUSE_MS)
    }
  }

  const lanes = urls.flatMap((url) => Array.from({ length: LANES_PER_SERVICE }, () => keepAsking(url)))
  return {
    answers,
    stallMs: () => stallMs,
    async untilServed(wanted) {
      const since = performance.now()
      const hasServed = (url: string) =>
        answers.some((answer) => answer.url === url && answer.status === 200 && answer.startedAt >= since)
      await until(() => wanted.every(hasServed))
      return performance.now() - since
    },
    async stop() {
      isOver = true
      await Promise.all(lanes)
      return answers
    },
  }
}

/** The statuses there were, each once. */
export const statusesIn = (answers: readonly Answer[]): readonly (number | 'cut')[] =>
  [...new Set(answers.map(({ status }) => status))].sort()

export const countOf = (answers: readonly Answer[], status: number | 'cut'): number =>
  answers.filter((answer) => answer.status === status).length

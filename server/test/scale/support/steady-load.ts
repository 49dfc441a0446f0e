import { setTimeout } from 'node:timers/promises'
import { runsAll } from '../../../../test/runs-all.ts'
import { until } from '../../support/until.ts'
import { METADATA } from './services.ts'

export type Answer = {
  readonly url: string
  readonly startedAt: number
  readonly endedAt: number
  /** `cut`: the connection ended without an answer. */
  readonly status: number | 'cut'
}

/** Disposing stops it, so that a failed test does not keep its process alive. */
export type SteadyLoad = AsyncDisposable & {
  readonly answers: readonly Answer[]
  /** Largest delay of a timer in the load itself: the overhead of the busy machine. */
  stallMs(): number
  /** Waits until each URL has served a request that began after the call. Returns the milliseconds waited. */
  untilServed(urls: readonly string[]): Promise<number>
  stop(): Promise<readonly Answer[]>
}

const LANES_PER_SERVICE = 4
/**
 * Pause of a lane between two requests. It leaves processor time to services that start again; `npm test` runs other
 * files beside this one, so there it is longer.
 */
const PAUSE_MS = runsAll() ? 5 : 25

/** Sends requests with one key to every service, almost without pauses, until `stop`. */
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
  const stop = async () => {
    isOver = true
    await Promise.all(lanes)
    return answers
  }
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
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

/** The distinct statuses. */
export const statusesIn = (answers: readonly Answer[]): readonly (number | 'cut')[] =>
  [...new Set(answers.map(({ status }) => status))].sort()

export const countOf = (answers: readonly Answer[], status: number | 'cut'): number =>
  answers.filter((answer) => answer.status === status).length

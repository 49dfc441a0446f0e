import { joinScrapes, type Scrape } from './adapters/system/metrics/join-scrapes.ts'
import { exposeValue } from './adapters/system/metrics/prometheus-text.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

/** Timeout per worker, far below the ten seconds of Prometheus, so that a hanging worker does not hide the others. */
const ANSWER_MS = 2_000

type ScrapedWorker = {
  readonly number: number
  /** Undefined for a worker that has ended and is not replaced yet. */
  readonly send: ((message: ToWorker) => void) | undefined
}

type ScrapeWorkers = {
  /** The metrics of all workers in one text. A worker that does not answer in time is reported as down. */
  scrape(workers: readonly ScrapedWorker[]): Promise<string>
  exposed(answer: Extract<FromWorker, { kind: 'exposed' }>): void
}

export function scrapeWorkers(answerMs = ANSWER_MS): ScrapeWorkers {
  const waiting = new Map<number, (text: string | undefined) => void>()
  let asked = 0

  async function textOf(send: (message: ToWorker) => void): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    asked += 1
    const id = asked
    waiting.set(id, resolve)
    const late = setTimeout(resolve, answerMs, undefined)
    send({ kind: 'expose', ask: id })
    const text = await promise
    clearTimeout(late)
    waiting.delete(id)
    return text
  }

  async function ask({ number, send }: ScrapedWorker): Promise<Scrape> {
    const text = send && (await textOf(send))
    const isUp = text === undefined ? 0 : 1
    const up = exposeValue('gauge', 'stakewright_worker_up', 'Whether the process answers.', isUp)
    return { worker: number, text: up + (text ?? '') }
  }

  return {
    scrape: async (workers) => joinScrapes(await Promise.all(workers.map(ask))),
    exposed: ({ ask: id, text }) => waiting.get(id)?.(text),
  }
}

import { CONTENT_TYPE } from './adapters/system/metrics/prometheus-text.ts'
import { Fault } from './fault.ts'
import type { Meters } from './ports/meters.ts'
import { type FromWorker, toToWorker } from './worker-messages.ts'

/** The channel to the process that started this one. */
export type WorkerChannel = {
  send(message: FromWorker): void
  onMessage(listener: (message: unknown) => void): void
}

/** Timeout of the primary, which itself waits for each worker, and below the ten seconds of Prometheus. */
const ANSWER_MS = 5_000

/**
 * Meters of one of several workers. A scrape reaches an arbitrary worker but must show all, so the worker asks the
 * primary process, which collects the metrics of each worker.
 */
export function workerMeters(own: Meters, channel: WorkerChannel, answerMs = ANSWER_MS): Meters {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  const exposeOwn = async (ask: number) => {
    const { text } = await own.expose()
    channel.send({ kind: 'exposed', ask, text })
  }
  channel.onMessage((received) => {
    const message = toToWorker(received)
    if (message.kind === 'expose') return void exposeOwn(message.ask)
    waiting.get(message.ask)?.(message.text)
  })
  return {
    ...own,
    async expose() {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked += 1
      const ask = asked
      waiting.set(ask, resolve)
      const late = setTimeout(() => reject(noAnswer()), answerMs)
      try {
        channel.send({ kind: 'scrape', ask })
        return { contentType: CONTENT_TYPE, text: await promise }
      } finally {
        clearTimeout(late)
        waiting.delete(ask)
      }
    },
  }
}

const noAnswer = () =>
  new Fault('timeout', 'The process that collects the metrics of all workers does not answer.')

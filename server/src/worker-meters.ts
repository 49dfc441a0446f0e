import { CONTENT_TYPE } from './adapters/system/metrics/prometheus-text.ts'
import type { Meters } from './ports/meters.ts'
import { type FromWorker, toToWorker } from './worker-messages.ts'

/** The channel to the process that started this one. */
export type WorkerChannel = {
  send(message: FromWorker): void
  onMessage(listener: (message: unknown) => void): void
}

/**
 * Meters of one of several workers. A scrape reaches an arbitrary worker but must show all, so the worker asks the
 * primary process, which collects the metrics of each worker.
 */
export function workerMeters(own: Meters, channel: WorkerChannel): Meters {
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
    waiting.delete(message.ask)
  })
  return {
    ...own,
    async expose() {
      const { promise, resolve } = Promise.withResolvers<string>()
      asked += 1
      waiting.set(asked, resolve)
      channel.send({ kind: 'scrape', ask: asked })
      return { contentType: CONTENT_TYPE, text: await promise }
    },
  }
}

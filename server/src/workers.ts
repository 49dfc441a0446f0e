import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Logger } from './ports/logger.ts'

/** A process that ends by itself is replaced after this, so that one that cannot start does not spin. */
const REPLACE_AFTER_MS = 1_000

export type Workers = {
  /** Where they listen, once all of them do; rejects when one cannot start. */
  readonly url: Promise<string>
  /** Tells them to stop and waits for it. */
  stop(): Promise<void>
}

type Needs = { readonly program: string; readonly count: number; readonly logger: Logger }

/**
 * Processes that each run the whole service and listen on the same port, among which the kernel spreads connections.
 * One that ends is replaced; the others do not notice.
 */
export function startWorkers({ program, count, logger }: Needs): Workers {
  const running = new Set<ChildProcess>()
  const listening = Promise.withResolvers<string>()
  let starting = count
  let isStopping = false

  function start(): void {
    if (isStopping) return
    const worker = fork(program, [WORKER_FLAG], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    running.add(worker)
    worker.once('message', (url) => {
      starting -= 1
      if (starting === 0) listening.resolve(String(url))
    })
    worker.once('error', (error) => logger.error('a worker cannot be started', error))
    worker.once('exit', (code, signal) => {
      running.delete(worker)
      if (isStopping) return
      if (starting > 0) return listening.reject(new Error('A worker ended before it was ready.'))
      logger.warn('a worker ended and is replaced', { pid: worker.pid, code, signal })
      setTimeout(start, REPLACE_AFTER_MS).unref()
    })
  }

  for (let number = 0; number < count; number += 1) start()
  return {
    url: listening.promise,
    async stop() {
      isStopping = true
      const ended = [...running].map((worker) => once(worker, 'exit'))
      for (const worker of running) worker.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}

/** How a worker knows that it is one. */
export const WORKER_FLAG = '--worker'

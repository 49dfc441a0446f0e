import { type ChildProcess, fork } from 'node:child_process'
import { Fault } from './fault.ts'
import type { Logger } from './ports/logger.ts'
import { scrapeWorkers } from './scrape-workers.ts'
import { type ToWorker, toFromWorker } from './worker-messages.ts'

/** Delay before an ended worker is replaced, so that one that cannot start does not restart in a tight loop. */
const REPLACE_AFTER_MS = 1_000

type Workers = {
  /** Resolves with their URL once all listen; rejects if one cannot start. */
  readonly url: Promise<string>
  /** Stops all workers and waits for their end. A worker that does not end in time is killed. */
  stop(): Promise<void>
}

type Needs = {
  readonly program: string
  readonly count: number
  readonly stopWithinMs: number
  readonly logger: Logger
}

/**
 * Starts processes that each run the whole service and listen on the same port; the kernel distributes connections. A
 * worker that ends is replaced.
 */
export function startWorkers({ program, count, stopWithinMs, logger }: Needs): Workers {
  /** By number. A replacement gets the number of the worker that ended, so that the set of labels stays small. */
  const running = new Map<number, ChildProcess>()
  const replacing = new Set<NodeJS.Timeout>()
  const scrapes = scrapeWorkers()
  const listening = Promise.withResolvers<string>()
  /** The numbers of the workers that have not listened yet. */
  const starting = new Set(Array.from({ length: count }, (_, number) => number))
  let isStopping = false

  async function answer(worker: ChildProcess, number: number, received: unknown): Promise<void> {
    const message = toFromWorker(received)
    if (message.kind === 'exposed') return scrapes.exposed(message)
    if (message.kind === 'scrape') {
      const all = Array.from({ length: count }, (_, at) => ({ number: at, send: sender(running.get(at)) }))
      return sender(worker)?.({ kind: 'scraped', ask: message.ask, text: await scrapes.scrape(all) })
    }
    starting.delete(number)
    if (starting.size === 0) listening.resolve(message.url)
  }

  function start(number: number): void {
    const worker = fork(program, [WORKER_FLAG], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    running.set(number, worker)
    worker.on('message', (received) => {
      answer(worker, number, received).catch((error) => logger.error('a worker was not answered', error))
    })
    worker.on('error', (error) => {
      logger.error('a worker failed', error, { pid: worker.pid })
      // A process that could not be started emits no `exit`.
      if (worker.pid === undefined) replace(number)
    })
    worker.once('exit', (code, signal) => {
      if (!isStopping) logger.warn('a worker ended', { pid: worker.pid, code, signal })
      replace(number)
    })
  }

  function replace(number: number): void {
    running.delete(number)
    if (isStopping) return
    if (starting.size > 0) {
      listening.reject(new Fault('internal_error', NOT_STARTED))
      return
    }
    // Not unref'd: without any worker only this timer keeps the process alive.
    const timer = setTimeout(() => {
      replacing.delete(timer)
      start(number)
    }, REPLACE_AFTER_MS)
    replacing.add(timer)
  }

  function killLate(): void {
    for (const worker of running.values()) {
      logger.warn('a worker did not stop in time and is killed', { pid: worker.pid })
      worker.kill('SIGKILL')
    }
  }

  for (let number = 0; number < count; number += 1) start(number)
  return {
    url: listening.promise,
    async stop() {
      isStopping = true
      for (const timer of replacing) clearTimeout(timer)
      // A process that could not be started emits no `exit`.
      const ended = [...running.values()].filter(({ pid }) => pid !== undefined).map(untilExit)
      for (const worker of running.values()) worker.kill('SIGTERM')
      const late = setTimeout(killLate, stopWithinMs)
      await Promise.all(ended)
      clearTimeout(late)
    },
  }
}

const NOT_STARTED = 'A worker ended before it was ready. What it has written says why.'

const untilExit = (worker: ChildProcess) => new Promise((resolve) => worker.once('exit', resolve))

function sender(worker: ChildProcess | undefined): ((message: ToWorker) => void) | undefined {
  if (!worker?.connected) return undefined
  // A worker may end at any time; the callback keeps a failed send from throwing, and scrapes have a timeout.
  return (message) => void worker.send(message, () => {})
}

/** The argument that marks a worker process. */
const WORKER_FLAG = '--worker'

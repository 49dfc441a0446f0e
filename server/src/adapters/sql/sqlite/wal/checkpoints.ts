import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

type Needs = {
  readonly file: string
  /** Called when the thread has ended unasked: from then on the connection itself must keep the log short. */
  readonly onLost: () => void
  /** Lets every writer wait for its turn, and returns what ends that. */
  readonly hold: () => Promise<() => void>
}

/** A log of 1,000 pages, which SQLite itself allows by default, needs no thread: closing moves what is in it. */
const SHORT_LOG_BYTES = 1_000 * 4_096
const LOOK_EVERY_MS = 1_000

/**
 * Moves committed pages from the write-ahead log into the database, in a thread of its own: on the main thread
 * each of these moments would stop every request for some milliseconds. The first long log starts the thread.
 */
export function checkpointInThread(needs: Needs): AsyncDisposable {
  let thread: AsyncDisposable | undefined
  const timer = setInterval(() => {
    const log = statSync(`${needs.file}-wal`, { throwIfNoEntry: false })
    if ((log?.size ?? 0) <= SHORT_LOG_BYTES) return
    clearInterval(timer)
    thread = startThread(needs)
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await thread?.[Symbol.asyncDispose]()
    },
  }
}

function startThread({ file, onLost, hold }: Needs): AsyncDisposable {
  const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData: file })
  const ended = Promise.withResolvers<void>()
  let goOn = () => {}

  async function holdFor(): Promise<void> {
    goOn = await hold()
    worker.postMessage('held')
    // A thread that has ended meanwhile says nothing any more.
    ended.promise.then(goOn)
  }

  worker.on('message', (message) => {
    if (message === 'hold') holdFor()
    else goOn()
  })
  worker.on('error', onLost)
  worker.on('exit', () => ended.resolve())
  worker.unref()
  return {
    async [Symbol.asyncDispose]() {
      worker.off('error', onLost)
      worker.on('error', () => {})
      worker.ref()
      worker.postMessage('stop')
      await ended.promise
    },
  }
}

import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'

type Needs = {
  readonly file: string
  /** Called when the thread has died: from then on the connection itself must checkpoint. */
  readonly onLost: () => void
  /** Pauses all writers; the returned function resumes them. */
  readonly hold: () => Promise<() => void>
}

/** Up to 1,000 pages, SQLite's own default, a WAL needs no thread: closing checkpoints all of it. */
const SHORT_LOG_BYTES = 1_000 * 4_096
const LOOK_EVERY_MS = 1_000

/**
 * Checkpoints the write-ahead log in a worker thread: on the main thread every checkpoint would block all
 * requests for some milliseconds.
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
  let release = () => {}

  async function holdFor(): Promise<void> {
    release = await hold()
    worker.postMessage('held')
    // A thread that has ended sends no message.
    void ended.promise.then(release)
  }

  worker.on('message', (message) => {
    if (message === 'hold') void holdFor()
    else release()
  })
  let isStopping = false
  // An error ends the thread, too.
  worker.on('error', () => {})
  worker.on('exit', () => {
    ended.resolve()
    if (!isStopping) onLost()
  })
  worker.unref()
  return {
    async [Symbol.asyncDispose]() {
      isStopping = true
      worker.ref()
      worker.postMessage('stop')
      await ended.promise
    },
  }
}

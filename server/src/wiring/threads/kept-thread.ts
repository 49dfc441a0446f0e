import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endOf } from '../../basics/end-of-thread.ts'

type KeptThread = AsyncDisposable & {
  /** Posts a question and returns the answer. One question at a time; if it is aborted, its thread ends. */
  ask(question: unknown, signal?: AbortSignal): Promise<unknown>
}

type Thread = { readonly worker: Worker; readonly over: AbortSignal }

/** Time that an idle thread is kept. */
const KEPT_MS = 60_000

/**
 * A worker thread that answers each message with one. The first question starts it; it is kept for a while, because
 * starting it takes more CPU time than most answers.
 */
export function keptThread(file: URL, keptMs = KEPT_MS): KeptThread {
  const closing = new AbortController()
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ended = thread
    thread = undefined
    await ended?.worker.terminate()
  }

  function start(): Thread {
    const worker = new Worker(file)
    worker.unref()
    const started = { worker, over: endOf(worker) }
    // An error ends a thread, so the next question starts another one.
    const forget = () => {
      if (thread === started) thread = undefined
    }
    worker.once('error', forget)
    worker.once('exit', forget)
    return started
  }

  return {
    async ask(question, signal = closing.signal) {
      const aborted = AbortSignal.any([closing.signal, signal])
      aborted.throwIfAborted()
      clearTimeout(idle)
      thread ??= start()
      const { worker, over } = thread
      try {
        worker.postMessage(question)
        const [answer] = await once(worker, 'message', { signal: AbortSignal.any([aborted, over]) })
        idle = setTimeout(end, keptMs).unref()
        return answer
      } catch (error) {
        await end()
        throw error
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await end()
    },
  }
}

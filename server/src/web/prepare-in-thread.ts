import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { endOf } from '../basics/end-of-thread.ts'
import type { WebFiles } from './prepare-files.ts'

/**
 * Prepares the files in a worker thread, so that requests are not delayed. The thread also suppresses Node's warning
 * about experimental type stripping.
 */
export async function prepareInThread(): Promise<WebFiles> {
  const thread = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  thread.unref()
  const [message] = await once(thread, 'message', { signal: endOf(thread) })
  return toWebFiles(message)
}

/** The thread posts exactly the result of `prepareFiles`. */
const toWebFiles = (message: unknown): WebFiles => message as WebFiles

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { WebFiles } from './prepare-files.ts'

/**
 * Prepares the files in a thread of its own: requests of agents are not held up by it. The thread also keeps Node's
 * warning about its experimental type stripping out of the service's log.
 */
export async function prepareInThread(): Promise<WebFiles> {
  const thread = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  thread.unref()
  const [message] = await once(thread, 'message')
  return toWebFiles(message)
}

/** The thread posts exactly what `prepareFiles` gives back. */
const toWebFiles = (message: unknown): WebFiles => message as WebFiles

import { writeHeapSnapshot } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { openTestApp } from '../support/test-app.ts'

/** Runs the whole service in a thread of its own, so that its heap has no strings of the test. */
export type ThreadCall = { readonly job: string } | { readonly snapshot: string } | { readonly stop: true }

const app = await openTestApp()
parentPort?.on('message', async (call: ThreadCall) => {
  if ('job' in call) await app.runJob(call.job)
  // Writing a snapshot collects garbage first, so it has only reachable objects.
  if ('snapshot' in call) writeHeapSnapshot(call.snapshot)
  if ('stop' in call) await app[Symbol.asyncDispose]()
  parentPort?.postMessage({ done: true })
})
parentPort?.postMessage({ url: app.url })

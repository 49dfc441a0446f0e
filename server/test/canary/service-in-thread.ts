import { writeHeapSnapshot } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { openTestApp } from '../support/test-app.ts'

/** The whole service in a thread, whose heap holds nothing of the test that asks it. */
export type ThreadCall = { readonly job: string } | { readonly snapshot: string } | { readonly stop: true }

const app = await openTestApp()
parentPort?.on('message', async (call: ThreadCall) => {
  if ('job' in call) await app.runJob(call.job)
  // Only what is still held is in it: it is collected first.
  if ('snapshot' in call) writeHeapSnapshot(call.snapshot)
  if ('stop' in call) await app[Symbol.asyncDispose]()
  parentPort?.postMessage({ done: true })
})
parentPort?.postMessage({ url: app.url })

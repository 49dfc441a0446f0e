import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { ADMIN, clientOfTier } from '../support/builder-agent.ts'
import { openTestApp } from '../support/test-app.ts'

let lose: ((thread: Worker) => void) | undefined
subscribe('worker_threads', (message) => {
  lose?.(toThread(message))
  lose = undefined
})

/** Node publishes each started thread on the diagnostics channel `worker_threads`. */
const toThread = (message: unknown): Worker => (message as { readonly worker: Worker }).worker

/** The next thread ends before it does anything. */
const loseNextThread = () => {
  lose = (thread) => void thread.terminate()
}

test('the thread that prepares the pages ends without an answer: that request fails, the next one gets its page', async () => {
  await using app = await openTestApp()
  const page = async () =>
    (
      await fetch(`${app.url}/validators`, {
        headers: { accept: 'text/html' },
        signal: AbortSignal.timeout(60_000),
      })
    ).status
  loseNextThread()
  assert.deepEqual([await page(), await page()], [500, 200])
})

test('the thread of a backtest ends without an answer: its request fails at once, and the next backtest is answered', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const backtest = () => client.backtest({ amount: '9000000000000000', epochs: 7 })
  loseNextThread()
  await assert.rejects(backtest(), { code: 'internal_error', status: 500 })
  assert.equal((await backtest()).epochs.length, 7)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prometheusMeters } from './adapters/system/metrics/prometheus-meters.ts'
import { type WorkerChannel, workerMeters } from './worker-meters.ts'

test('a scrape that the primary does not answer fails in time, and a late answer is not used for another one', async () => {
  let receive: (message: unknown) => void = () => {}
  const asked: number[] = []
  const channel: WorkerChannel = {
    send: (message) => message.kind === 'scrape' && asked.push(message.ask),
    onMessage: (listener) => {
      receive = listener
    },
  }
  const meters = workerMeters(prometheusMeters({ ofProcess: false }), channel, 50)
  await assert.rejects(meters.expose(), { name: 'Fault', code: 'timeout' })
  const second = meters.expose()
  receive({ kind: 'scraped', ask: asked[0], text: 'late' })
  receive({ kind: 'scraped', ask: asked[1], text: 'in time' })
  assert.equal((await second).text, 'in time')
})

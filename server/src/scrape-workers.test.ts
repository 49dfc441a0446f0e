import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrapeWorkers } from './scrape-workers.ts'

test('a worker that hangs or has ended is reported as down, and the others are still scraped', async () => {
  const scrapes = scrapeWorkers(1)
  const text = '# HELP a_total A.\n# TYPE a_total counter\na_total 7\n'
  const answered = await scrapes.scrape([
    { number: 0, send: ({ ask }) => scrapes.exposed({ kind: 'exposed', ask, text }) },
    { number: 1, send: () => {} },
    { number: 2, send: undefined },
  ])
  assert.deepEqual(
    answered.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    [
      'stakewright_worker_up{worker="0"} 1',
      'stakewright_worker_up{worker="1"} 0',
      'stakewright_worker_up{worker="2"} 0',
      'a_total{worker="0"} 7',
    ],
  )
})

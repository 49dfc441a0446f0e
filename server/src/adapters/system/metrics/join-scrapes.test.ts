import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinScrapes } from './join-scrapes.ts'
import { prometheusMeters } from './prometheus-meters.ts'

test('samples of several processes get a worker label, and each metric has one TYPE line', async () => {
  const [one, other] = [prometheusMeters({ ofProcess: false }), prometheusMeters({ ofProcess: false })]
  one.requestFinished('/x', 'GET', 200, 0.1)
  one.snapshotRefused()
  other.requestFinished('/x', 'GET', 200, 0.1)
  other.requestFinished('/x', 'GET', 200, 0.1)
  other.requestFinished('/y', 'POST', 503, 0.1)
  const text = joinScrapes([
    { worker: 0, text: (await one.expose()).text },
    { worker: 1, text: (await other.expose()).text },
  ])
  const count = 'stakewright_http_request_duration_seconds_count'
  for (const line of [
    `${count}{worker="0",route="/x",method="GET",status="200"} 1`,
    `${count}{worker="1",route="/x",method="GET",status="200"} 2`,
    `${count}{worker="1",route="/y",method="POST",status="503"} 1`,
    'stakewright_snapshots_refused_total{worker="0"} 1',
    'stakewright_snapshots_refused_total{worker="1"} 0',
  ]) {
    assert(text.includes(`${line}\n`), `${line} is missing in\n${text}`)
  }
  const described = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
  assert.equal(new Set(described).size, described.length)
  assert(described.length > 3)
})

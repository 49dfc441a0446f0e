import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prometheusMeters } from './prometheus-meters.ts'

test('events are exposed in the text format of Prometheus', async () => {
  const meters = prometheusMeters({ ofProcess: false })
  meters.requestFinished('/api/v1/staking/validators/{id}', 'GET', 200, 0.004)
  meters.requestFinished('/api/v1/staking/validators/{id}', 'GET', 200, 3)
  meters.jobFinished('refresh', 'failed', 0.2)
  meters.snapshotAccepted(412, 1_700_000_000_500)
  meters.snapshotRefused()
  const { contentType, text } = await meters.expose()
  assert.match(contentType, /^text\/plain; version=0\.0\.4/)
  const route = 'route="/api/v1/staking/validators/{id}",method="GET",status="200"'
  for (const line of [
    `stakewright_http_request_duration_seconds_bucket{le="0.005",${route}} 1`,
    `stakewright_http_request_duration_seconds_count{${route}} 2`,
    'stakewright_job_duration_seconds_count{task="refresh",outcome="failed"} 1',
    'stakewright_snapshot_epoch 412',
    'stakewright_snapshot_checkpoint_timestamp_seconds 1700000000.5',
    'stakewright_snapshots_refused_total 1',
  ]) {
    assert(text.includes(`${line}\n`), `${line} is missing in\n${text}`)
  }
})

test('every line is a sample or a description of the metric that follows; each metric has one description', async () => {
  const meters = prometheusMeters({ ofProcess: process })
  meters.requestFinished('/healthz', 'GET', 200, 0.004)
  meters.jobFinished('refresh', 'done', 0.2)
  const { text } = await meters.expose()
  assert(text.endsWith('\n'))
  const described: string[] = []
  for (const line of text.trimEnd().split('\n')) {
    const [, name] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? []
    if (name) described.push(name)
    else if (!line.startsWith('# HELP ')) {
      const [, sample = ''] = /^(\w+)(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? \S+$/.exec(line) ?? []
      assert.equal(sample.replace(/_(bucket|sum|count)$/, ''), described.at(-1), line)
    }
  }
  assert.equal(new Set(described).size, described.length)
})

test('unknown methods share one label', async () => {
  const meters = prometheusMeters({ ofProcess: false })
  for (const method of ['BREW', 'QUERY', 'FOO']) meters.requestFinished('unknown', method, 405, 0.001)
  const { text } = await meters.expose()
  assert(text.includes('_count{route="unknown",method="other",status="405"} 3\n'))
})

test('services in one process have separate counters', async () => {
  const [one, other] = [prometheusMeters({ ofProcess: false }), prometheusMeters({ ofProcess: false })]
  one.snapshotRefused()
  assert((await one.expose()).text.includes('refused_total 1'))
  assert((await other.expose()).text.includes('refused_total 0'))
})

test('memory and event-loop lag of the process are exposed', async () => {
  const { text } = await prometheusMeters({ ofProcess: process }).expose()
  assert.match(text, /^process_resident_memory_bytes \d+$/m)
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m)
})

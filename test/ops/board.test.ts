import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { METADATA, openServices, registerAgent } from '../../server/test/scale/support/services.ts'
import { freePort } from '../../server/test/support/server-process.ts'
import { testDatabase } from '../../server/test/support/services/postgres-server.ts'
import { startPrometheus } from '../../server/test/support/services/prometheus-server.ts'
import { ROOT, read, valuesOf } from './ops-yaml.ts'

/** The least number of queries on the dashboard. */
const PANELS = 10
/** Enough for a rate, which needs two samples: Prometheus scrapes every second. */
const RATE_INTERVAL = '1m'
/** Ends each wait with a description of what is missing. */
const MAX_WAIT_MS = 100_000
/** Its rate covers four minutes, and thus the requests that were refused with 503 while the service started. */
const OF_THE_START = 'StakewrightStoreNotReady'

test('on a healthy service, every dashboard query returns series from a real scrape, and no alert stays active', {
  timeout: 240_000,
}, async (t) => {
  await using database = await testDatabase()
  const port = String(await freePort())
  await using group = await openServices(1, { DATABASE_URL: database.url, WORKERS: '2', PORT: port })
  const [service] = group.services
  const { apiKey } = await registerAgent(service.url)
  await using prometheus = await startPrometheus(group.urls, join(ROOT, 'ops/prometheus/alerts.yaml'))
  if (!prometheus) return t.skip('there is no Prometheus here')
  const board: unknown = JSON.parse(read('ops/grafana/stakewright.json'))
  const queries = valuesOf('expr', board).map((query) =>
    String(query).replaceAll('$__rate_interval', RATE_INTERVAL),
  )
  assert(queries.length >= PANELS)
  let empty = queries
  for (const until = performance.now() + MAX_WAIT_MS; empty.length > 0; ) {
    assert(performance.now() < until, `no series for ${empty.join(', ')}`)
    await fetch(service.url + METADATA, { headers: { 'x-api-key': apiKey } }).then((got) => got.text())
    // The scrape interval.
    await pause(1_000)
    const answers = await Promise.all(empty.map((query) => prometheus.query(query)))
    empty = empty.filter((_, at) => !answers[at]?.some(({ value }) => Number.isFinite(value)))
  }
  const served = await prometheus.query('sum by (worker) (stakewright_worker_up)')
  assert.deepEqual(served.map(({ labels }) => labels['worker']).sort(), ['0', '1'])
  // Other alerts about the start, such as a missing leader, clear by themselves.
  const active = async () => (await prometheus.alerts()).filter((name) => name !== OF_THE_START)
  let alerts = await active()
  for (const until = performance.now() + MAX_WAIT_MS; alerts.length > 0; alerts = await active()) {
    assert(performance.now() < until, `still active: ${alerts.join(', ')}`)
    await pause(1_000)
  }
})

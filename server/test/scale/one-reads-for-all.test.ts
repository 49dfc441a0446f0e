import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceProcess } from '../../../test/e2e/service-process.ts'
import { DAY_MS } from '../../src/durations.ts'
import { type FakeFullNode, REAL_LIMITS, startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { ikaWorld } from '../fake-full-node/ika-world.ts'
import { livingWorld, timesOfNow } from '../fake-full-node/living-world.ts'
import { sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { walrusWorld } from '../fake-full-node/walrus-world.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { until } from '../support/until.ts'
import { watchPace } from './support/machine-pace.ts'
import { holdsLease, openServices } from './support/services.ts'

const REFRESH_MS = 2_000
const ASK_EVERY_MS = 100
/** A lease of 6 s, the next check of it, and the next refresh; as much again for the work. */
const TAKEOVER_MS = 6_000 + 1_500 + REFRESH_MS
const WORK_MS = TAKEOVER_MS
const TIMES = timesOfNow(DAY_MS)

/** The sample network with this commission, by which the tests see which data an instance has. */
function worldWith(commissionBps: number) {
  const network = sampleNetwork(TIMES)
  const validators = network.validators.map((validator) =>
    validator.id === VALIDATORS.steady ? { ...validator, commissionBps, pendingCommission: [] } : validator,
  )
  return livingWorld(ikaWorld({ ...network, validators }))
}

async function commissionAt({ url }: ServiceProcess): Promise<number | undefined> {
  const answer = await fetch(`${url}/api/v1/staking/validators/${VALIDATORS.steady}`)
  const body = (await answer.json()) as { commissionRate?: number }
  return body.commissionRate
}

async function untilAllShow(services: readonly ServiceProcess[], commissionRate: number): Promise<void> {
  for (;;) {
    const shown = await Promise.all(services.map(commissionAt))
    if (shown.every((rate) => rate === commissionRate)) return
    await wait(ASK_EVERY_MS)
  }
}

const isReader = (service: ServiceProcess) => holdsLease(service, 'chain ika')

/** The instances that hold the lease. Waits, because the log line comes a moment after the lease is taken. */
async function readersAmong(services: readonly ServiceProcess[]): Promise<readonly ServiceProcess[]> {
  await until(() => services.some(isReader))
  return services.filter(isReader)
}

/** Number of reads of the chain: each begins with this call. */
const readsOf = (node: FakeFullNode) => node.calls.filter((method) => method === 'GetServiceInfo').length

test('three instances read the chain as often as one, and another reads after the reader was killed', async (t) => {
  await using database = await migratedDatabase()
  await using node = await startFakeFullNode(worldWith(500))
  node.limits = REAL_LIMITS
  const env = {
    DATABASE_URL: database.url,
    NETWORK: 'ika',
    SUI_RPC_URLS: node.url,
    REFRESH_MS: String(REFRESH_MS),
    SUI_RPC_CALLS: '200',
    LOG_LEVEL: 'info',
  }
  await using group = await openServices(3, env)
  const { services } = group
  await untilAllShow(services, 0.05)
  const [reader, ...moreReaders] = await readersAmong(services)
  assert(reader)
  assert.deepEqual(moreReaders, [])
  const others = services.filter((service) => service !== reader)

  const from = { at: performance.now(), reads: readsOf(node), calls: node.calls.length }
  node.world = worldWith(600)
  await untilAllShow(services, 0.06)
  node.world = worldWith(700)
  await untilAllShow(services, 0.07)
  const most = Math.ceil((performance.now() - from.at) / REFRESH_MS) + 1
  const made = readsOf(node) - from.reads
  t.diagnostic(`${made} reads, ${node.calls.length - from.calls} calls`)
  assert(made <= most, `${made} reads in the time of ${most}`)

  await reader.end('SIGKILL')
  await using pace = watchPace()
  const killedAt = performance.now()
  const before = readsOf(node)
  node.world = worldWith(800)
  await untilAllShow(others, 0.08)
  const tookMs = performance.now() - killedAt
  const slowdown = pace.slowdown()
  t.diagnostic(
    `the others showed newer data ${Math.round(tookMs)} ms after the end of the reader; the machine was ${slowdown.toFixed(1)} times slower than alone`,
  )
  assert(tookMs < TAKEOVER_MS + slowdown * WORK_MS, `${tookMs} ms`)
  assert(readsOf(node) - before <= Math.ceil(tookMs / REFRESH_MS) + 1)
  assert.equal((await readersAmong(others)).length, 1)
})

test('instances of two networks on one store each read their own chain', async () => {
  await using database = await migratedDatabase()
  await using ika = await startFakeFullNode(worldWith(500))
  await using walrus = await startFakeFullNode(livingWorld(walrusWorld(sampleNetwork(TIMES))))
  const env = {
    DATABASE_URL: database.url,
    REFRESH_MS: String(REFRESH_MS),
    SUI_RPC_CALLS: '200',
    LOG_LEVEL: 'info',
  }
  await using first = await openServices(1, { ...env, NETWORK: 'ika', SUI_RPC_URLS: ika.url })
  await untilAllShow(first.services, 0.05)
  await using second = await openServices(1, { ...env, NETWORK: 'walrus', SUI_RPC_URLS: walrus.url })
  const [other] = second.services
  await until(async () => (await fetch(`${other.url}/api/v1/staking/epoch`)).ok)
  await until(() => isReader(first.services[0]) && holdsLease(other, 'chain walrus'))
})

test('if its node refuses the reader (429), another instance reads, and both show its data', async () => {
  await using database = await migratedDatabase()
  await using own = await startFakeFullNode(worldWith(500))
  await using others = await startFakeFullNode(worldWith(500))
  const env = {
    DATABASE_URL: database.url,
    NETWORK: 'ika',
    REFRESH_MS: String(REFRESH_MS),
    SUI_RPC_CALLS: '200',
    LOG_LEVEL: 'info',
  }
  await using first = await openServices(1, { ...env, SUI_RPC_URLS: own.url })
  await untilAllShow(first.services, 0.05)
  await until(() => isReader(first.services[0]))
  await using second = await openServices(1, { ...env, SUI_RPC_URLS: others.url })
  const both = [...first.services, ...second.services]
  await untilAllShow(both, 0.05)
  const before = readsOf(others)
  own.plan = () => ({ kind: 'http-status', status: 429, headers: { 'retry-after': '300' } })
  others.world = worldWith(900)
  await untilAllShow(both, 0.09)
  assert(readsOf(others) > before)
  const asked: number = own.calls.length
  others.world = worldWith(1_000)
  await untilAllShow(both, 0.1)
  assert.equal(own.calls.length, asked, 'the node is not asked during its Retry-After')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../../test/e2e/service-process.ts'
import { crashRounds } from '../support/repetitions.ts'
import { freePort } from '../support/server-process.ts'
import { startNginx } from '../support/services/nginx-server.ts'
import { testDatabase } from '../support/services/postgres-server.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'
import { SECRETS } from './support/admin-token.ts'
import { registerAgent } from './support/services.ts'

const RESTARTS = crashRounds(6)
/** Keeps the load below what the machine can do, so that instances can start. */
const PAUSE_MS = 5
const INSTANCES = 3
const SETTINGS = {
  ...SECRETS,
  TRUST_PROXY_HOPS: '1',
  LIMIT_IP_RPM: '1000000',
  LIMIT_GLOBAL_RPM: '1000000',
  LOG_LEVEL: 'warn',
}
const USAGE = '/api/v1/staking/agent/usage'
const ALLOCATE = '/api/v1/staking/agent/allocate'
const AMOUNT = JSON.stringify({ amount: '5000000000000' })

/** Requests of the load, each with its number of clients. */
const LOAD = [
  { path: USAGE, init: {}, clients: 2 },
  { path: ALLOCATE, init: { method: 'POST', body: AMOUNT }, clients: 2 },
] as const

async function openInstances(env: Readonly<Record<string, string>>) {
  const ports = await Promise.all(Array.from({ length: INSTANCES }, freePort))
  const start = (at: number) => startService({ ...SETTINGS, ...env, PORT: String(ports[at]) })
  const running: ServiceProcess[] = []
  for (const at of ports.keys()) running.push(await start(at))
  return {
    ports,
    /** Stops the instance, starts it, and waits until it serves requests again, as an operator would. */
    async restart(at: number): Promise<void> {
      assert.equal(await running[at]?.end('SIGTERM'), 0)
      const service = await start(at)
      running[at] = service
      await until(() => hasServed(service.url))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((service) => service[Symbol.asyncDispose]()))
    },
  }
}

async function hasServed(url: string): Promise<boolean> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return metrics.includes(`route="${USAGE}"`)
}

/** Sends requests steadily until `stop`. Every answer other than 200 counts as lost. */
function openLoad(url: string, apiKey: string) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const answered = new Map<string, number>()
  const lost: string[] = []
  let isOver = false
  const clients = LOAD.flatMap(({ path, init, clients }) =>
    Array.from({ length: clients }, async () => {
      while (!isOver) {
        const outcome = await fetch(url + path, { ...init, headers }).then(
          async (response) => (response.status === 200 ? void (await response.text()) : response.text()),
          (error: unknown) => String(error),
        )
        if (outcome === undefined) answered.set(path, (answered.get(path) ?? 0) + 1)
        else lost.push(`${path}: ${outcome}`)
        await pause(PAUSE_MS)
      }
    }),
  )
  const stop = async () => {
    isOver = true
    await Promise.all(clients)
  }
  return { lost, answered, stop, [Symbol.asyncDispose]: stop }
}

const today = () => new Date().toISOString().slice(0, 10)

/** Number of requests counted today, including the one that asks for it. */
async function countedToday(url: string, apiKey: string): Promise<number> {
  const response = await fetch(url + USAGE, { headers: { 'x-api-key': apiKey } })
  const left = Number(response.headers.get('x-ratelimit-remaining-rpd'))
  return Number(response.headers.get('x-ratelimit-limit-rpd')) - left
}

/** Generous, because starts take long on a busy machine. */
const TIMEOUT = { timeout: 400_000 }

test(
  `${RESTARTS} restarts one after the other behind nginx lose no request and repeat none`,
  TIMEOUT,
  async (t) => {
    await using database = await testDatabase()
    await using folder = await tempFolder()
    await using instances = await openInstances({ DATA_DIR: folder.path, DATABASE_URL: database.url })
    await using nginx = await startNginx(instances.ports)
    if (!nginx) return t.skip('there is no nginx, and it could not be had from Debian: apt-get install nginx')
    const startedOn = today()
    const { apiKey } = await registerAgent(nginx.url)
    await using load = openLoad(nginx.url, apiKey)
    for (let round = 0; round < RESTARTS; round += 1) await instances.restart(round % INSTANCES)
    await load.stop()
    assert.deepEqual(load.lost, [])
    const requests = [...load.answered.values()].reduce((sum, count) => sum + count, 0)
    if (today() === startedOn) assert.equal(await countedToday(nginx.url, apiKey), requests + 1)
    t.diagnostic(`${RESTARTS} restarts, ${requests} requests, of which ${load.answered.get(ALLOCATE)} POSTs`)
  },
)

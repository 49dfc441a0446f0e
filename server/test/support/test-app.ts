import assert from 'node:assert/strict'
import { type Answer, type Client, type ClientOptions, createClient } from '@stakewright/client'
import type { EndpointName, EndpointSpec } from '@stakewright/contract'
import { ENDPOINTS, replyInPart } from '@stakewright/contract'
import { ROUTES } from '@stakewright/contract/routes'
import type { EndpointLimits } from '#adapters/sui/connection/endpoint.ts'
import { prometheusMeters } from '#adapters/system/metrics/prometheus-meters.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import { readConfig } from '../../src/config.ts'
import { type App, openApp } from '../../src/wiring/app.ts'
import { openVerifyThread } from '../../src/wiring/audit/verify-in-thread.ts'
import { PATIENT_NODES } from '../fake-full-node/patient-nodes.ts'
import { copyFirstStart, RUN_FOLDER_VARIABLE } from './first-start/copied-store.ts'
import { restoreOnce } from './first-start/restored-network.ts'
import { TIMEOUTS } from './services/test-postgres.ts'
import { silentLogger } from './silent-logger.ts'
import { tempFolder } from './temp-folder.ts'
import { type TestClock, testClock } from './test-clock.ts'
import { removeStore, storeVariables } from './test-store.ts'

/** `last` is the newest answer, for tests that make one call after the other. */
export type TestClient = Client & { readonly last: Answer | undefined }

export type TestApp = AsyncDisposable & {
  readonly url: string
  /** The URL of the metrics, if they have their own port. */
  readonly metricsUrl: string | undefined
  readonly folder: string
  readonly clock: TestClock
  client(options?: Partial<ClientOptions>): TestClient
  runJob(name: string): Promise<void>
  /** Closes the service and keeps its data, from which another one can start. */
  stop(): Promise<void>
}

export type TestAppOptions = {
  /** Variables on top of the defaults. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: TestClock
  /** An existing data folder, to start again where another app has stopped. */
  readonly folder?: string
  readonly logger?: Logger
  /** Another chain than the configured one. */
  readonly chain?: StakingChain
  /** Limits of calls to nodes, for tests of such limits. */
  readonly nodeLimits?: Partial<EndpointLimits>
  /** False: jobs run only by `runJob`, however long the test takes. */
  readonly runsJobs?: boolean
  /** Gives Redis long timeouts, for a busy machine: for tests of counts, not of timeouts. */
  readonly isPatient?: boolean
  /** How long statements wait for locks of others. */
  readonly lockMs?: number
  /** How long the start waits for the history of the chain. */
  readonly historyWaitMs?: number
}

/** The whole service on a free port, with its own store and a clock that the test moves. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  await using opened = new AsyncDisposableStack()
  const clock = options.clock ?? testClock()
  const folder = options.folder ?? opened.use(await ownFolder()).path
  const isUsual = isUsualStart(options, clock)
  if (isUsual) await copyFirstStart(folder, startAndStop)
  const store = await storeVariables(folder)
  const app = opened.use(await openOn(folder, store, options, clock, isUsual ? restoreOnce : undefined))
  const { url, metricsUrl } = await app.listen()
  const resources = opened.move()
  return {
    url,
    metricsUrl,
    folder,
    clock,
    client: (more = {}) => testClient({ baseUrl: url, ...more }),
    runJob: (name) => app.runJob(name),
    stop: async () => app[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

function testClient(options: ClientOptions): TestClient {
  let last: Answer | undefined
  const onAnswer = (answer: Answer) => {
    last = answer
  }
  const client = createClient({ fetch: checkedFetch, retries: 0, timeoutMs: 60_000, onAnswer, ...options })
  return Object.defineProperty({ ...client, last }, 'last', { get: () => last })
}

/** Shared by all services of this process: starting the thread takes longer than verifying a test's log. */
const verifyThread = openVerifyThread()

/** On a busy machine a request may take longer than the default timeout. */
const PATIENT = { REQUEST_TIMEOUT_MS: '60000' }

function openOn(
  folder: string,
  store: Readonly<Record<string, string>>,
  options: TestAppOptions,
  clock: TestClock,
  restore?: typeof restoreOnce,
): Promise<App> {
  const {
    env,
    logger = silentLogger,
    chain,
    nodeLimits,
    runsJobs = true,
    historyWaitMs = 600_000,
    lockMs,
  } = options
  // A test with its own Redis is usually a test of the timeouts.
  const isPatient = options.isPatient ?? env?.['REDIS_URL'] === undefined
  const read = readConfig({ PORT: '0', DATA_DIR: folder, ...PATIENT, ...store, ...env })
  assert(read.kind === 'ok', JSON.stringify(read))
  return openApp(read.config, {
    clock,
    logger,
    meters: prometheusMeters({ ofProcess: false }),
    random: () => 0.5,
    version: '0.1.0',
    forTests: {
      preparesAhead: false,
      verifyThread,
      storeTimeouts: { ...TIMEOUTS, ...(lockMs !== undefined && { lockMs }) },
      nodeLimits: { ...PATIENT_NODES, ...nodeLimits },
      ...(isPatient && { redisTimeouts: { connectMs: 20_000, answerMs: 20_000 } }),
      runsJobs,
      historyWaitMs,
      jobDeadlineMs: 600_000,
      keepAliveMs: 60_000,
      ...(chain && { chain }),
      ...(restore && { restore }),
    },
  })
}

/** The store after the start depends on these variables: a service with other ones starts on an empty folder. */
const DECIDES_START = /^(NETWORK|SANDBOX_|DATA_DIR|DATABASE_URL|KEY_PEPPER|JWT_SECRET)/

function isUsualStart({ env = {}, folder, chain }: TestAppOptions, clock: TestClock): boolean {
  const isOther = Object.keys(env).some((name) => DECIDES_START.test(name))
  return !folder && !chain && !isOther && clock.now() === testClock().now()
}

async function startAndStop(folder: string, variables: Readonly<Record<string, string>>): Promise<void> {
  await using app = await openOn(folder, variables, {}, testClock())
  await app.listen()
}

/** A new folder, removed together with the store that belongs to it. */
async function ownFolder() {
  await using opened = new AsyncDisposableStack()
  const { path } = opened.use(await tempFolder(process.env[RUN_FOLDER_VARIABLE]))
  opened.defer(() => removeStore(path))
  const resources = opened.move()
  return { path, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Every successful answer must be exactly what the contract says: no field missing, none undocumented. */
const checkedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const name = endpointOf(init?.method ?? 'GET', new URL(String(input)).pathname)
  if (response.ok && name) {
    const body = await response.clone().json()
    const spec: EndpointSpec = ENDPOINTS[name]
    if (response.status === 202 && spec.waiting) {
      assert.deepEqual(spec.waiting.parse(body), body, `the 202 of ${name} is not as documented`)
      return response
    }
    const isPart = /[?&](fields|view)=/.test(String(input))
    const reply = isPart ? replyInPart(ENDPOINTS[name]) : ENDPOINTS[name].reply
    assert.deepEqual(reply.parse(body), body, `the answer of ${name} is not as documented`)
    assert.equal(response.status, 'status' in ENDPOINTS[name] ? ENDPOINTS[name].status : 200)
  }
  return response
}

/** Every route; those without a parameter come first. */
const ROUTE_PATTERNS = (Object.keys(ROUTES) as EndpointName[])
  .toSorted((a, b) => Number(ROUTES[a].path.includes('{')) - Number(ROUTES[b].path.includes('{')))
  .map((name) => {
    const { method, path } = ROUTES[name]
    return { name, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }
  })

const endpointOf = (method: string, path: string): EndpointName | undefined =>
  ROUTE_PATTERNS.find((route) => route.method === method && route.pattern.test(path))?.name

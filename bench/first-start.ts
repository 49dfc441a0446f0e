import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type FakeFullNode,
  REAL_LIMITS,
  startFakeFullNode,
} from '../server/test/fake-full-node/fake-full-node.ts'
import { largeNetwork, MAINNET_SIZE } from '../server/test/fake-full-node/large-network.ts'
import { livingWorld, timesOfNow } from '../server/test/fake-full-node/living-world.ts'
import { WORLDS } from '../server/test/sui/opened-chain.ts'
import { spawnService } from '../test/e2e/service-process.ts'

const NETWORKS = ['ika', 'walrus', 'sui'] as const
/** The rate limit of public nodes. */
const ALLOWED = { calls: 100, inMs: 30_000 }
const REFRESH_MS = 2_000
const REFRESHES = 3
const ASK_EVERY_MS = 50
const DAY_MS = 86_400_000

type Figures = {
  readonly servingAfter: number
  readonly completeAfter: number
  readonly callsOfStart: number
  readonly refused: number
  readonly callsPerRefresh: number
}

/**
 * Measures the duration of a first start on a network of mainnet's size with a node that allows 100 requests in 30 s,
 * and the calls per refresh after it. The calls are the same on every machine; the seconds are not.
 */
export async function benchFirstStart(): Promise<void> {
  const { committee, history } = MAINNET_SIZE
  console.log(
    `\nfirst start: ${committee} validators, ${history} epochs, ${ALLOWED.calls} calls in 30 s allowed`,
  )
  const titles = ['', 'serving', 'history', 'calls', 'refused', 'calls per refresh']
  console.log(`  ${titles.map((title) => title.padEnd(9)).join('')}`)
  for (const network of NETWORKS) {
    const figures = await firstStart(network)
    const row = [
      network,
      `${figures.servingAfter.toFixed(1)} s`,
      `${figures.completeAfter.toFixed(1)} s`,
      figures.callsOfStart,
      figures.refused,
      figures.callsPerRefresh,
    ]
    console.log(`  ${row.map((cell) => String(cell).padEnd(9)).join('')}`)
  }
}

async function firstStart(network: (typeof NETWORKS)[number]): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const world = WORLDS[network](largeNetwork(MAINNET_SIZE, timesOfNow(DAY_MS)))
  const node = opened.use(await startFakeFullNode(livingWorld(world)))
  node.limits = REAL_LIMITS
  const refusals = limitCalls(node)
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1_000
  const env = {
    NETWORK: network,
    SUI_RPC_URLS: node.url,
    DATA_DIR: folder,
    REFRESH_MS: String(REFRESH_MS),
    SUI_RPC_CALLS: '200',
  }
  const service = opened.use(spawnService({ ...env, LIMIT_IP_RPM: '100000', LOG_LEVEL: 'error' }))
  const url = `${await service.untilListening()}/api/v1/staking/validators`
  await until(async () => (await fetch(url)).status === 200)
  const servingAfter = seconds()
  await until(async () => (await (await fetch(url)).json()).historyComplete === true)
  const completeAfter = seconds()
  const callsOfStart = node.calls.length
  const looks = () => node.calls.filter((method) => method === 'GetServiceInfo').length
  // Counted from the start of one refresh to the start of another, so that only whole refreshes count.
  const first = await nextLook(node, looks)
  const last = await nextLook(node, looks, REFRESHES)
  const callsPerRefresh = Math.round((last - first) / REFRESHES)
  return { servingAfter, completeAfter, callsOfStart, refused: refusals(), callsPerRefresh }
}

/** Waits for the next refresh, or the `later`-th from now, and returns the number of calls before it. */
async function nextLook(node: FakeFullNode, looks: () => number, later = 1): Promise<number> {
  const wanted = looks() + later
  await until(() => looks() >= wanted)
  return node.calls.lastIndexOf('GetServiceInfo')
}

function limitCalls(node: FakeFullNode): () => number {
  const answered: number[] = []
  let refused = 0
  node.plan = () => {
    const now = performance.now()
    while (answered[0] !== undefined && answered[0] <= now - ALLOWED.inMs) answered.shift()
    if (answered.length < ALLOWED.calls) {
      answered.push(now)
      return undefined
    }
    refused += 1
    const waitMs = (answered[0] ?? now) + ALLOWED.inMs - now
    return {
      kind: 'http-status',
      status: 429,
      headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
    }
  }
  return () => refused
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await wait(ASK_EVERY_MS)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type SpawnedService, spawnService } from '../../../test/e2e/service-process.ts'
import { type FakeFullNode, REAL_LIMITS, startFakeFullNode } from '../fake-full-node/fake-full-node.ts'
import { ikaWorld } from '../fake-full-node/ika-world.ts'
import { largeNetwork } from '../fake-full-node/large-network.ts'
import { livingWorld, timesOfNow } from '../fake-full-node/living-world.ts'
import { tempFolder } from '../support/temp-folder.ts'

const SIZE = { committee: 40, newest: 140, history: 90 }
const WORLD = ikaWorld(largeNetwork(SIZE, timesOfNow(86_400_000)))
const RATES = SIZE.committee * (SIZE.history + 1)
/** About half of the rates; a call asks for 500. */
const READ_BEFORE_KILL = 2_000
const ASK_EVERY_MS = 100

const rateIds = new Set(
  [...WORLD.objects.values()]
    .filter(({ contents, owner }) => owner.kind === 'object' && contents.length < 100)
    .map(({ id }) => id),
)
const ratesAskedOf = (node: FakeFullNode) => node.asked.filter((id) => rateIds.has(id))

async function startNode(): Promise<FakeFullNode> {
  const node = await startFakeFullNode(livingWorld(WORLD))
  node.limits = REAL_LIMITS
  return node
}

function startOn(node: FakeFullNode, folder: string): SpawnedService {
  const env = {
    NETWORK: 'ika',
    SUI_RPC_URLS: node.url,
    DATA_DIR: folder,
    REFRESH_MS: '1000',
    SUI_RPC_CALLS: '300',
  }
  return spawnService({ ...env, LIMIT_IP_RPM: '100000', LOG_LEVEL: 'warn' })
}

/** Waits for the complete history and returns the list of validators, whose scores and yields are computed from it. */
async function completeList(service: SpawnedService): Promise<unknown> {
  const url = await service.untilListening()
  for (;;) {
    const answer = await fetch(`${url}/api/v1/staking/validators`)
    const { historyComplete, hash, data } = (await answer.json()) as Record<string, unknown>
    if (historyComplete === true) return { hash, data }
    await wait(ASK_EVERY_MS)
  }
}

test('after kill -9 in the middle of reading the history, the next process reads only the missing rates', async (t) => {
  assert.equal(rateIds.size, RATES)
  await using folder = await tempFolder()
  await using first = await startNode()
  const silent = Promise.withResolvers<void>()
  first.plan = ({ method }) => {
    if (method !== 'BatchGetObjects' || ratesAskedOf(first).length < READ_BEFORE_KILL) return undefined
    silent.resolve()
    return { kind: 'silent' }
  }
  await using killed = startOn(first, folder.path)
  await silent.promise
  await killed.end('SIGKILL')
  const read = ratesAskedOf(first)
  assert(read.length >= READ_BEFORE_KILL && read.length < RATES)

  await using second = await startNode()
  await using next = startOn(second, folder.path)
  const continued = await completeList(next)
  const again = new Set(ratesAskedOf(second)).intersection(new Set(read))
  t.diagnostic(`${read.length} rates before the kill, ${ratesAskedOf(second).length} after it`)
  assert.deepEqual([...again], [])

  await using third = await startNode()
  await using elsewhere = await tempFolder()
  await using uninterrupted = startOn(third, elsewhere.path)
  assert.deepEqual(continued, await completeList(uninterrupted))
})

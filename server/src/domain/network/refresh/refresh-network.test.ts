import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import { openTestChain, soon } from '../../../../test/sandbox/test-chain.ts'
import { silentLogger } from '../../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../../test/support/temp-folder.ts'
import { currentNetwork } from '../current-network.ts'
import { refreshNetwork } from './refresh-network.ts'
import { takeStoredNetwork } from './take-stored-network.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Two instances with a common store and chain: `reader` reads, `other` takes the stored snapshots. */
async function openInstances() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const snapshots = sqlSnapshots({ db, logger: silentLogger })
  const { chain, clock } = await openTestChain()
  const instance = (of: StakingChain) => {
    const network = currentNetwork({ clock, nodes: { states: () => [] } })
    const needs = { chain: of, snapshots, network, clock, digest }
    return {
      async refresh() {
        const outcome = await refreshNetwork(needs)(soon())
        const { contentId, snapshot } = network.read()
        await snapshots.noteSeen(chain.network, { contentId, ...snapshot })
        return outcome
      },
      take: takeStoredNetwork({ name: chain.network, ...needs }),
      checkpoint: () => network.read().snapshot.checkpoint,
    }
  }
  const held = holdReads(chain)
  const resources = opened.move()
  const dispose = () => resources.disposeAsync()
  return {
    reader: instance(chain),
    other: instance(held.chain),
    held,
    clock,
    [Symbol.asyncDispose]: dispose,
  }
}

/** A chain whose answers are delayed until they are released. */
function holdReads(chain: StakingChain) {
  const released = Promise.withResolvers<void>()
  const isRead = Promise.withResolvers<void>()
  const readSnapshot: StakingChain['readSnapshot'] = async (deadline) => {
    const snapshot = await chain.readSnapshot(deadline)
    isRead.resolve()
    await released.promise
    return snapshot
  }
  return { chain: { ...chain, readSnapshot }, isRead: isRead.promise, release: released.resolve }
}

for (const [name, isKnown] of [
  ['a first read', false],
  ['a later read', true],
] as const) {
  test(`${name} that is slow does not replace a newer snapshot of another instance`, async () => {
    await using instances = await openInstances()
    const { reader, other, held, clock } = instances
    await reader.refresh()
    if (isKnown) await other.take()
    clock.time += 10_000
    const reading = other.refresh()
    await held.isRead
    clock.time += 10_000
    await reader.refresh()
    await other.take()
    const newest = reader.checkpoint()
    assert.equal(other.checkpoint(), newest)
    held.release()
    const outcome = await reading
    assert.equal(other.checkpoint(), newest)
    assert.deepEqual(outcome, {
      kind: 'accepted',
      epoch: outcome.kind === 'accepted' && outcome.epoch,
      checkpointAt: clock.time,
      historyComplete: true,
    })
  })
}

test('a slow read is served if it is newer than the snapshot taken meanwhile', async () => {
  await using instances = await openInstances()
  const { reader, other, held, clock } = instances
  await reader.refresh()
  clock.time += 10_000
  const reading = other.refresh()
  await held.isRead
  await other.take()
  const taken = other.checkpoint()
  held.release()
  await reading
  assert.ok(other.checkpoint() > taken)
})

test('a stored snapshot refused because of a wrong clock is reported once, and taken once the clock is right', async () => {
  await using instances = await openInstances()
  const { reader, other, clock } = instances
  await reader.refresh()
  const time = clock.time
  clock.time = time - 3_600_000
  assert.equal((await other.take())?.kind, 'refused')
  assert.equal(await other.take(), undefined)
  clock.time = time
  assert.equal((await other.take())?.kind, 'accepted')
  assert.equal(other.checkpoint(), reader.checkpoint())
})

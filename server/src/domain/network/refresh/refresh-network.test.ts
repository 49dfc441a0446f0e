import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import type { ChainSnapshot, EpochRecord, StakingChain } from '#ports/chain/staking-chain.ts'
import { EPOCH_MS, openTestChain, soon } from '../../../../test/sandbox/test-chain.ts'
import { silentLogger } from '../../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../../test/support/temp-folder.ts'
import { currentNetwork } from '../current-network.ts'
import { refreshNetwork, storedView } from './refresh-network.ts'
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
        await snapshots.noteSeen(chain.network, { contentId, ...snapshot }, clock.time)
        return outcome
      },
      take: takeStoredNetwork({ name: chain.network, ...needs }),
      view: () => network.read(),
      checkpoint: () => network.read().snapshot.checkpoint,
    }
  }
  const held = holdReads(chain)
  const liar = await lyingChain(chain)
  const resources = opened.move()
  const dispose = () => resources.disposeAsync()
  return {
    reader: instance(chain),
    liar: { ...liar, ...instance(liar.chain) },
    restored: () => storedView({ chain, snapshots, digest }),
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

/**
 * A chain that answers, while `ahead` is set, with a snapshot of so many epochs later, with nine times the stakes and
 * with records of epochs that are not over.
 */
async function lyingChain(chain: StakingChain) {
  const state: { ahead: number | undefined } = { ahead: undefined }
  const right = await chain.readSnapshot(soon())
  const { epoch } = right
  const records = await chain.readEpochs(epoch.number - 5, soon())
  const last = records.filter((record) => record.epoch === epoch.number - 1)
  const lie = (ahead: number): ChainSnapshot => ({
    ...right,
    checkpoint: right.checkpoint + 1_000,
    checkpointAt: right.checkpointAt + ahead * EPOCH_MS + 120_000,
    epoch: { ...epoch, number: epoch.number + ahead, startedAt: epoch.startedAt + ahead * EPOCH_MS },
    validators: right.validators.map((one) => ({
      ...one,
      stake: 9n * one.stake,
      nextStake: 9n * one.nextStake,
      pendingStake: 9n * one.pendingStake,
      withdrawingStake: 9n * one.withdrawingStake,
    })),
  })
  const recordsAfter = (ahead: number): readonly EpochRecord[] =>
    Array.from({ length: ahead }, (_, at) =>
      last.map((one) => ({
        ...one,
        epoch: epoch.number + at,
        endedAt: one.endedAt + (at + 1) * EPOCH_MS,
      })),
    ).flat()
  const lying: StakingChain = {
    ...chain,
    readSnapshot: async (deadline) =>
      state.ahead === undefined ? chain.readSnapshot(deadline) : lie(state.ahead),
    readEpochs: async (from, deadline) =>
      state.ahead === undefined
        ? chain.readEpochs(from, deadline)
        : [...records, ...recordsAfter(state.ahead)].filter((record) => record.epoch >= from),
  }
  return { chain: lying, state, timeOf: (ahead: number) => lie(ahead).checkpointAt, epoch: epoch.number }
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

for (const ahead of [0, 1, 3]) {
  test(`a snapshot ${ahead} epochs ahead, accepted by a wrong clock, gives way in the view, the store and other instances`, async () => {
    await using instances = await openInstances()
    const { liar, other, clock, restored } = instances
    const rightTime = clock.time
    clock.time = liar.timeOf(ahead)
    liar.state.ahead = ahead
    assert.equal((await liar.refresh()).kind, 'accepted')
    await other.take()
    const wrong = other.checkpoint()
    liar.state.ahead = undefined
    clock.time = rightTime
    assert.equal((await liar.refresh()).kind, 'accepted')
    assert.ok(liar.checkpoint() < wrong)
    assert.equal((await other.take())?.kind, 'accepted')
    assert.equal(other.checkpoint(), liar.checkpoint())
    for (const view of [liar.view(), other.view(), await restored()]) {
      assert.equal(view?.snapshot.checkpoint, liar.checkpoint())
      assert.equal(view.history.newestEpoch, liar.epoch - 1)
      const records = [...view.history.byValidator.values()].flat()
      assert.ok(records.every(({ epoch }) => epoch < liar.epoch))
    }
    clock.time += 10_000
    assert.equal((await liar.refresh()).kind, 'accepted')
    assert.equal((await other.take())?.kind, 'accepted')
    assert.equal(other.checkpoint(), liar.checkpoint())
  })
}

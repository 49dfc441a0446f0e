import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { EpochRecord } from '#ports/chain/staking-chain.ts'
import type { Forecasts } from '#ports/stores/forecasts.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import { runs } from '../../support/repetitions.ts'
import { NOW, recordOf, snapshotAt, snapshotsOf } from './chain-data.ts'

type Opened = AsyncDisposable & { readonly snapshots: Snapshots; readonly forecasts: Forecasts }

const FORECASTS = { network: 'ika', engineVersion: '1', madeAt: NOW, ranges: [], forecasts: [] } as const

/** The guarantees of every store of snapshots. `open` opens an empty one. */
export function snapshotsSuite(name: string, open: () => Promise<Opened>): void {
  suite(`snapshots: ${name}`, () => {
    test('an empty store has no snapshot and no history', async () => {
      await using store = await open()
      assert.equal(await store.snapshots.latest('sandbox'), undefined)
      assert.deepEqual(await store.snapshots.history('sandbox', 0), [])
    })

    test('a snapshot comes back exactly as it was saved', async () => {
      await using store = await open()
      let newest = 0
      await fc.assert(
        fc.asyncProperty(snapshotsOf('ika'), async (any) => {
          newest = Math.max(newest, any.checkpoint)
          const snapshot = { ...any, checkpoint: newest }
          await store.snapshots.save(snapshot, [], 0, NOW)
          assert.deepEqual(await store.snapshots.latest('ika'), snapshot)
        }),
        runs(40),
      )
    })

    test('the snapshot saved last is the latest, separately for each network', async () => {
      await using store = await open()
      await store.snapshots.save(snapshotAt('ika', 1), [], 0, NOW)
      await store.snapshots.save(snapshotAt('sui', 7), [], 0, NOW)
      await store.snapshots.save(snapshotAt('ika', 2), [], 0, NOW)
      assert.equal((await store.snapshots.latest('ika'))?.checkpoint, 2)
      assert.equal((await store.snapshots.latest('sui'))?.checkpoint, 7)
      assert.equal(await store.snapshots.latest('walrus'), undefined)
    })

    test('history is read back complete, by epoch and then by validator, from the given epoch on', async () => {
      await using store = await open()
      const records = [
        recordOf('0xb', 9),
        recordOf('0xa', 10, { performed: false }),
        recordOf('0xB', 10, { performed: undefined, commissionBps: 0, commissionSource: 'assumed' }),
        recordOf('0xb', 10, { stake: 0n, rate: { tokens: 0n, shares: 0n } }),
        recordOf('0xa', 11),
      ]
      const scattered = [records[4], records[2], records[0], records[3], records[1]]
      await store.snapshots.save(
        snapshotAt('ika', 12),
        scattered.filter((record) => record !== undefined),
        0,
        NOW,
      )
      const inOrder = [records[0], records[2], records[1], records[3], records[4]]
      assert.deepEqual(await store.snapshots.history('ika', 0), inOrder)
      assert.deepEqual(await store.snapshots.history('ika', 10), inOrder.slice(1))
      assert.deepEqual(await store.snapshots.history('ika', 12), [])
      assert.deepEqual(await store.snapshots.history('sui', 0), [])
    })

    test('thousands of records are saved at once and read back in order, each once', async () => {
      await using store = await open()
      const records = Array.from({ length: 60 * 90 }, (_, at) =>
        recordOf(`0x${String(at % 90).padStart(2, '0')}`, Math.floor(at / 90)),
      )
      await store.snapshots.save(snapshotAt('ika', 60), records, 0, NOW)
      assert.deepEqual(await store.snapshots.history('ika', 0), records)
      assert.deepEqual(await store.snapshots.history('ika', 7), records.slice(7 * 90))
    })

    test('a record that is already stored is not changed', async () => {
      await using store = await open()
      await store.snapshots.save(snapshotAt('ika', 2), [recordOf('0xa', 1)], 0, NOW)
      await store.snapshots.save(
        snapshotAt('ika', 3),
        [recordOf('0xa', 1, { stake: 1n }), recordOf('0xa', 2)],
        0,
        NOW,
      )
      assert.deepEqual(await store.snapshots.history('ika', 0), [recordOf('0xa', 1), recordOf('0xa', 2)])
    })

    test('records of epochs before the oldest one to keep are dropped, of this network only', async () => {
      await using store = await open()
      const records = [1, 2, 3].map((epoch) => recordOf('0xa', epoch))
      await store.snapshots.save(snapshotAt('sui', 3), records, 0, NOW)
      await store.snapshots.save(snapshotAt('ika', 3), records, 0, NOW)
      await store.snapshots.save(snapshotAt('ika', 4), [recordOf('0xa', 4)], 3, NOW)
      assert.deepEqual(await store.snapshots.history('ika', 0), [recordOf('0xa', 3), recordOf('0xa', 4)])
      assert.deepEqual(await store.snapshots.history('sui', 0), records)
    })

    test('the last commissions read in an epoch are kept until records are saved after that epoch', async () => {
      await using store = await open()
      const inEpoch = (number: number, commissionBps: number, checkpoint = number) => {
        const snapshot = snapshotAt('ika', checkpoint)
        const validators = snapshot.validators.map((validator) => ({ ...validator, commissionBps }))
        return { ...snapshot, epoch: { ...snapshot.epoch, number }, validators }
      }
      const ids = snapshotAt('ika', 1).validators.map(({ id }) => id)
      assert(ids.length > 0)
      const of = (commissionBps: number) => new Map(ids.map((id) => [id, commissionBps]))
      await store.snapshots.save(inEpoch(5, 100), [], 0, NOW)
      await store.snapshots.save(inEpoch(5, 200, 6), [], 0, NOW)
      await store.snapshots.save(inEpoch(6, 300, 7), [], 0, NOW)
      await store.snapshots.save(inEpoch(7, 400, 8), [], 0, NOW)
      const all = [of(200), of(300), of(400)].map((one, at) => [5 + at, one] as const)
      assert.deepEqual(await store.snapshots.commissions('ika', 0), new Map(all))
      assert.deepEqual(await store.snapshots.commissions('ika', 6), new Map(all.slice(1)))
      assert.deepEqual(await store.snapshots.commissions('sui', 0), new Map())
      await store.snapshots.save(inEpoch(7, 400, 9), [recordOf('0xa', 6)], 0, NOW)
      assert.deepEqual(await store.snapshots.commissions('ika', 0), new Map(all.slice(1)))
    })

    test('a snapshot whose records cannot be saved is not saved either', async () => {
      await using store = await open()
      await store.snapshots.save(snapshotAt('ika', 1), [], 0, NOW)
      const impossible = { ...recordOf('0xa', 1), endedAt: Number.NaN }
      await assert.rejects(
        store.snapshots.save(snapshotAt('ika', 2), [recordOf('0xb', 1), impossible], 0, NOW),
      )
      assert.equal((await store.snapshots.latest('ika'))?.checkpoint, 1)
      assert.deepEqual(await store.snapshots.history('ika', 0), [])
    })

    test('saves and reads at the same time do not disturb each other', async () => {
      await using store = await open()
      const checkpoints = Array.from({ length: 20 }, (_, index) => index + 1)
      const saves = checkpoints.map((checkpoint) =>
        store.snapshots.save(snapshotAt('ika', checkpoint), [recordOf('0xa', checkpoint)], 0, NOW),
      )
      const reads = checkpoints.map(() => store.snapshots.history('ika', 0))
      for (const history of await Promise.all(reads)) {
        const epochs = history.map((record) => record.epoch)
        assert.deepEqual(
          epochs,
          checkpoints.filter((checkpoint) => epochs.includes(checkpoint)),
        )
      }
      await Promise.all(saves)
      assert.equal((await store.snapshots.history('ika', 0)).length, 20)
    })

    test('the newest checkpoint seen is kept for each network, and never goes back', async () => {
      await using store = await open()
      const mark = (checkpoint: number) => ({
        contentId: `c${checkpoint}`,
        checkpoint,
        checkpointAt: checkpoint * 10,
      })
      assert.equal(await store.snapshots.lastSeen('ika'), undefined)
      await store.snapshots.noteSeen('sui', mark(9), NOW)
      await Promise.all([3, 5, 4, 1].map((at) => store.snapshots.noteSeen('ika', mark(at), NOW)))
      assert.deepEqual(await store.snapshots.lastSeen('ika'), mark(5))
      await store.snapshots.noteSeen('ika', { ...mark(5), contentId: 'changed' }, NOW)
      assert.deepEqual(await store.snapshots.lastSeen('ika'), { ...mark(5), contentId: 'changed' })
      assert.deepEqual(await store.snapshots.lastSeen('sui'), mark(9))
    })

    test('an older snapshot never takes the place of a newer one', async () => {
      await using store = await open()
      await Promise.all([3, 5, 4, 1, 2].map((at) => store.snapshots.save(snapshotAt('ika', at), [], 0, NOW)))
      await store.snapshots.save(snapshotAt('ika', 4), [], 0, NOW)
      assert.equal((await store.snapshots.latest('ika'))?.checkpoint, 5)
    })

    test('a snapshot dated in the future gives way to a current one with a lower checkpoint, and so does its mark', async () => {
      await using store = await open()
      const at = (checkpoint: number, checkpointAt: number) => ({
        ...snapshotAt('ika', checkpoint),
        checkpointAt,
        contentId: `c${checkpoint}`,
      })
      const keep = async (one: ReturnType<typeof at>, records: readonly EpochRecord[] = []) => {
        const { contentId, ...snapshot } = one
        const { checkpoint, checkpointAt } = one
        await store.snapshots.save(snapshot, records, 0, NOW)
        await store.snapshots.noteSeen('ika', { contentId, checkpoint, checkpointAt }, NOW)
        const latest = await store.snapshots.latest('ika')
        const seen = await store.snapshots.lastSeen('ika')
        assert.equal(latest?.checkpoint, seen?.checkpoint)
        return seen?.checkpoint
      }
      const records = [1, 2, 3, 4, 5].map((epoch) => recordOf('0xa', epoch))
      assert.equal(await keep(at(9, NOW + 3_600_000), records), 9)
      for (const epoch of [3, 4, 9]) await store.forecasts.add({ ...FORECASTS, epoch }, 0)
      assert.equal(
        await keep(at(8, NOW + 3_500_000)),
        9,
        'one that is dated in the future, too, waits its turn',
      )
      assert.equal(await keep(at(4, NOW)), 4)
      assert.deepEqual(await store.snapshots.history('ika', 0), records.slice(0, 3))
      assert.deepEqual([...(await store.snapshots.commissions('ika', 0)).keys()], [4])
      const projected = (await store.forecasts.since('ika', 0)).map(({ epoch }) => epoch)
      assert.deepEqual(projected, [3, 4], 'those of epochs that have not come are made in their time')
      assert.equal(await keep(at(3, NOW)), 4, 'an older one does not replace a current one')
      assert.equal(await keep(at(6, NOW)), 6)
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { NOW, recordOf, snapshotAt } from '../../../../../test/contracts/suites/chain-data.ts'
import { silentLogger } from '../../../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../../../test/support/temp-folder.ts'
import { openSqlite } from '../../sqlite/open.ts'
import { writeSnapshot } from './snapshot-json.ts'
import { sqlSnapshots } from './snapshots.ts'

/** A store with a snapshot, two of its records, and the errors that were logged. */
async function openFilled() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const reported: unknown[] = []
  const logger = { ...silentLogger, error: (_event: string, error: unknown) => void reported.push(error) }
  const snapshots = sqlSnapshots({ db, logger })
  await snapshots.save(snapshotAt('ika', 3), [recordOf('0xa', 1), recordOf('0xa', 2)], 0, NOW)
  const resources = opened.move()
  return { db, snapshots, reported, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('a damaged snapshot is not served, and the log names the damaged field', async () => {
  await using store = await openFilled()
  const body = writeSnapshot(snapshotAt('ika', 3)).replace(/"decimals":\d+/, '"decimals":"many"')
  await store.db.updateTable('snapshots').set({ body }).execute()
  assert.equal(await store.snapshots.latest('ika'), undefined)
  assert.match(String(store.reported), /snapshot\.token\.decimals is not a number/)
})

test('a body that is cut, garbled or of another shape never crashes the reader', async () => {
  await using store = await openFilled()
  const whole = writeSnapshot(snapshotAt('ika', 3))
  const cut = fc.nat({ max: whole.length - 1 }).map((length) => whole.slice(0, length))
  await fc.assert(
    fc.asyncProperty(fc.oneof(cut, fc.json(), fc.string()), async (body) => {
      await store.db.updateTable('snapshots').set({ body }).execute()
      assert.equal(await store.snapshots.latest('ika'), undefined)
    }),
    { numRuns: 60 },
  )
})

test('a damaged record is left out of the history and reported, the others are served', async () => {
  await using store = await openFilled()
  await store.db.updateTable('epoch_records').set({ stake: '12e3' }).where('epoch', '=', 1).execute()
  assert.deepEqual(await store.snapshots.history('ika', 0), [recordOf('0xa', 2)])
  assert.match(String(store.reported), /stake is not a whole number/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { silentLogger } from '../../../../../test/support/silent-logger.ts'
import { tempFolder } from '../../../../../test/support/temp-folder.ts'
import { openSqlite } from '../../sqlite/open.ts'
import { sqlForecasts } from './forecasts.ts'

test('forecasts are not added if the old ones cannot be deleted', async () => {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  const forecasts = sqlForecasts({ db: store.db, logger: silentLogger })
  const set = { network: 'ika', engineVersion: '1', madeAt: 0, ranges: [], forecasts: [] } as const
  const epochs = async () => (await forecasts.since('ika', 0)).map(({ epoch }) => epoch)
  await forecasts.add({ ...set, epoch: 1 }, 0)
  await sql`create trigger kept before delete on forecast_sets begin select raise(abort, 'kept'); end`.execute(
    store.db,
  )
  await assert.rejects(forecasts.add({ ...set, epoch: 2 }, 2))
  assert.deepEqual(await epochs(), [1])
  await sql`drop trigger kept`.execute(store.db)
  await forecasts.add({ ...set, epoch: 2 }, 2)
  assert.deepEqual(await epochs(), [2])
})

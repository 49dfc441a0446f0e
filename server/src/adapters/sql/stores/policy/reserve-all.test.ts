import { test } from 'node:test'
import { assertAsOneByOne } from '../../../../../test/policy/reserved-together.ts'
import { openSqliteOfFile } from '../../../../../test/support/sqlite-of-file.ts'

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 1)

test('builds decided in one batch have the same outcomes as one after the other', async () => {
  const store = await openSqliteOfFile()
  await assertAsOneByOne(store.db, 60 * RUNS)
})

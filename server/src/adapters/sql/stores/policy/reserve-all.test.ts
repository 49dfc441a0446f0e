import { test } from 'node:test'
import { assertLikeSequential } from '../../../../../test/policy/reserved-together.ts'
import { runs } from '../../../../../test/support/repetitions.ts'
import { openSqliteOfFile } from '../../../../../test/support/sqlite-of-file.ts'

test('builds decided in one batch have the same outcomes as one after the other', async () => {
  const store = await openSqliteOfFile()
  await assertLikeSequential(store.db, runs(60).numRuns)
})

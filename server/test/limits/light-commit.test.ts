import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lightCommits } from '#adapters/sql/light-commit.ts'
import { openSqlite } from '#adapters/sql/sqlite.ts'
import { tempFolder } from '../temp-folder.ts'

const LEVELS = { normal: 1, full: 2 } as const

for (const synchronous of ['full', 'normal'] as const) {
  test(`commits of a store that is opened ${synchronous} stay so, before and after a light one`, async () => {
    await using folder = await tempFolder()
    await using store = await openSqlite(folder.path, { synchronous })
    const seen = await store.exclusive((database) => {
      const level = () => Number(database.prepare('pragma synchronous').get()?.['synchronous'])
      const commitLightly = lightCommits(database)
      const before = level()
      const during = commitLightly(() => {
        database.exec('begin immediate')
        const inside = level()
        database.exec('commit')
        return inside
      })
      const after = level()
      assert.throws(() =>
        commitLightly(() => {
          database.exec('begin immediate')
          throw new Error('the commit fails')
        }),
      )
      return { before, during, after, afterFailure: level(), isTransaction: database.isTransaction }
    })
    const usual = LEVELS[synchronous]
    assert.deepEqual(seen, {
      before: usual,
      during: LEVELS.normal,
      after: usual,
      afterFailure: usual,
      isTransaction: false,
    })
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#adapters/sql/schema.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { chargeLimits } from '#adapters/sql/stores/registration-limits.ts'
import { HOUR_MS } from '../../src/durations.ts'
import { hourLimit, NOW } from '../contracts/suites/sample-agents.ts'
import { openTestPostgres } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'

type Store = AsyncDisposable & { readonly db: Kysely<Schema> }

const ENGINES: Readonly<Record<string, (folder: string) => Promise<Store>>> = {
  SQLite: (folder) => openSqlite(folder),
  Postgres: () => openTestPostgres(),
}

/** The counts of as many networks in a window, each at its limit. */
const fill = ({ db }: Store, windowStart: number, networks: number) =>
  sql`insert into registration_hits (name, key, window_start, hits) ${sql.raw(
    `with recursive n(no) as (select 1 union all select no + 1 from n where no < ${networks})`,
  )} select 'ip-hour', 'network ' || no, cast(${windowStart} as bigint), 2 from n`.execute(db)

for (const [engine, open] of Object.entries(ENGINES))
  test(`${engine}: after an hour in which many networks registered, each counts anew, and the old counts leave bit by bit`, async () => {
    await using folder = await tempFolder()
    await using store = await open(folder.path)
    const networks = 3_000
    await fill(store, NOW - HOUR_MS, networks)
    const register = (network: number) =>
      store.db
        .transaction()
        .execute((transaction) => chargeLimits(transaction, [{ ...hourLimit(2), key: `network ${network}` }]))
    const kept = async () =>
      (await store.db.selectFrom('registration_hits').select('key').where('window_start', '<', NOW).execute())
        .length
    for (const network of [networks, 1]) {
      assert.equal(await register(network), undefined)
      assert.equal(await register(network), undefined)
      assert.equal((await register(network))?.kind, 'limited')
    }
    const left = await kept()
    assert(left > 0 && left < networks, String(left))
    for (let other = 0; left > 0 && other < 5; other += 1) await register(networks + 1 + other)
    assert.equal(await kept(), 0)
  })

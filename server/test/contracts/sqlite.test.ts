import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlForecasts } from '#adapters/sql/stores/chain/forecasts.ts'
import { sqlReadRates } from '#adapters/sql/stores/chain/read-rates.ts'
import { sqlSnapshots } from '#adapters/sql/stores/chain/snapshots.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { readRatesSuite } from './suites/read-rates.ts'
import { sandboxStatesSuite } from './suites/sandbox-states.ts'
import { snapshotsSuite } from './suites/snapshots.ts'

async function openEmpty() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const resources = opened.move()
  return {
    snapshots: sqlSnapshots({ db, logger: silentLogger }),
    forecasts: sqlForecasts({ db, logger: silentLogger }),
    readRates: sqlReadRates(db),
    states: sqlSandboxStates(db),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

snapshotsSuite('SQLite', openEmpty)
readRatesSuite('SQLite', openEmpty)
sandboxStatesSuite('SQLite', openEmpty)

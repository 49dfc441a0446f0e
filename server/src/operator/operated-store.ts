import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '#adapters/sql/schema.ts'
import { isBusy } from '#adapters/sql/sqlite/errors.ts'
import { openSqliteAlongside } from '#adapters/sql/sqlite/open-alongside.ts'
import { followStoreTime } from '#adapters/sql/store-time.ts'
import { followingClock } from '#adapters/system/following-clock.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import { openStore } from '#wiring/open-store.ts'
import type { Config } from '../config.ts'
import { Fault, refusal } from '../fault.ts'
import { presentSecret, refuseOtherPepper } from './present-secrets.ts'
import { SILENT } from './silent.ts'

type OperatedStore = AsyncDisposable & {
  readonly db: Database
  readonly secrets: Secrets
  readonly clock: Clock
}

type Options = {
  /** Whether the service may be running, for one short transaction. False: an embedded store must not be in use. */
  readonly alongside?: boolean
  readonly own?: Clock
}

/** Opens the store of a service for an operator's command, with the pepper that the store was created with. */
export async function openOperatedStore(
  config: Config,
  { alongside = false, own = systemClock }: Options = {},
): Promise<OperatedStore> {
  const { database, dataDir, keys } = config
  if (database.kind === 'sqlite') refuseEmptyFolder(database.folder)
  const pepper = await presentSecret('key-pepper', dataDir, keys.pepper)
  const secrets = openSecrets({ keyPrefix: keys.prefix, pepper })
  await using opened = new AsyncDisposableStack()
  const { db } = opened.use(
    alongside && database.kind === 'sqlite'
      ? await openSqliteAlongside(database.folder)
      : await openStore(config, SILENT),
  )
  await refuseOtherPepper(db, secrets)
  const clock = followingClock({ own })
  await followStoreTime(db, clock)
  const resources = opened.move()
  return { db, secrets, clock, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Whether a store could not be opened because another process, most likely the service, has it open. */
export const isStoreInUse = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === 'store_not_ready' && isBusy(error.cause)

/** Refuses a folder without a database, because opening would create one and a mistyped folder would look empty. */
export function refuseEmptyFolder(folder: string): void {
  if (existsSync(join(folder, 'stakewright.db'))) return
  throw refusal(
    'not_found',
    `There is no database in ${folder}.`,
    'Set DATA_DIR to the folder of the service.',
  )
}

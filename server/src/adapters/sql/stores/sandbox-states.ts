import type { Kysely } from 'kysely'
import type { SandboxStates } from '#ports/chain/sandbox.ts'
import type { Schema } from '../schema.ts'

/** There is one sandbox per database. */
const ID = 1

/** Version 0 stands for no state yet; the first state replaces it. */
export function sqlSandboxStates(db: Kysely<Schema>): SandboxStates {
  return {
    async version() {
      const row = await db
        .selectFrom('sandbox_states')
        .select('version')
        .where('id', '=', ID)
        .executeTakeFirst()
      return row?.version
    },
    async load() {
      const row = await db
        .selectFrom('sandbox_states')
        .select(['version', 'state'])
        .where('id', '=', ID)
        .executeTakeFirst()
      return row && { version: row.version, state: row.state }
    },
    async replace(version, state) {
      const next = { version: version + 1, state }
      const [result] =
        version === 0
          ? await db
              .insertInto('sandbox_states')
              .values({ id: ID, ...next })
              .onConflict((conflict) => conflict.column('id').doNothing())
              .returning('version')
              .execute()
          : await db
              .updateTable('sandbox_states')
              .set(next)
              .where('id', '=', ID)
              .where('version', '=', version)
              .returning('version')
              .execute()
      return result !== undefined
    },
  }
}

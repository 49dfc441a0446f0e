/** Writes into the given folder for ever, and prints the version of each write once it is acknowledged. */

import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlSandboxStates } from '#adapters/sql/stores/sandbox-states.ts'
import { stateOf } from './state-of.ts'

const store = await openSqlite(process.argv[2] ?? '')
const states = sqlSandboxStates(store.db)
for (let version = (await states.load())?.version ?? 0; ; version += 1) {
  if (!(await states.replace(version, stateOf(version + 1)))) throw new Error('somebody else writes here')
  console.log(version + 1)
}

import { type Kysely, sql } from 'kysely'
import { Fault } from '../../../fault.ts'
import type { Schema } from '../schema.ts'

/** `given`: the value before this service changes it. */
type Setting = { readonly name: string; readonly setting: string; readonly given: string }

/** Settings of `applySettings` that must be in force. */
const KEPT = [
  { name: 'default_transaction_isolation', holds: (setting: string) => setting === 'read committed' },
  { name: 'synchronous_commit', holds: (setting: string) => setting !== 'off' },
] as const

const RISKS = [
  {
    name: 'fsync',
    value: 'off',
    risk: 'a crash of its machine can lose or damage what was acknowledged. Set it to on, unless its storage keeps every write by itself.',
  },
  {
    name: 'full_page_writes',
    value: 'off',
    risk: 'a power cut can damage pages. Set it to on, unless its storage never writes half a page.',
  },
  {
    name: 'synchronous_commit',
    value: 'off',
    risk: 'this service switches it on for its own connections. Set it to on for whatever else writes there.',
  },
] as const

/**
 * Reads back the settings that decide whether a commit is durable. Resolves with the risky ones, a sentence
 * each. Settings unknown to the server are ignored.
 */
export async function readBackSettings(db: Kysely<Schema>): Promise<readonly string[]> {
  const names = [...KEPT, ...RISKS].map(({ name }) => name)
  const { rows } = await sql<Setting>`
    select name, setting, reset_val as given from pg_settings where name in (${sql.join(names)})`.execute(db)
  const found = new Map(rows.map((row) => [row.name, row]))
  for (const { name, holds } of KEPT) {
    const setting = found.get(name)?.setting
    if (setting === undefined || holds(setting)) continue
    throw new Fault(
      'store_not_ready',
      `Postgres has ${name} = ${setting}, though this service has set another value: something between them drops its settings. Connect directly or through a pooler in session mode.`,
    )
  }
  return RISKS.filter(({ name, value }) => found.get(name)?.given === value).map(
    ({ name, value, risk }) => `Postgres has ${name} = ${value}: ${risk}`,
  )
}

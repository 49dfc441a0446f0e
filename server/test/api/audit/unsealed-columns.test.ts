import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../../src/config.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { verifyAuditLog } from '../../../src/operator/operator.ts'
import { userToken } from '../../support/admitted-agent.ts'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { openTestApp } from '../../support/test-app.ts'
import { askStore, removeStore, storeUnderTest, storeVariables } from '../../support/test-store.ts'
import { ABOVE_FIVE, ALL, ANN, approvalOf } from '../policy/with-approvals.ts'

/** The list in docs/security.md of what can be changed by somebody who can write the database without the pepper. */

const PAGE = join(import.meta.dirname, '../../../../docs/security.md')
const DAY_WINDOW = { rule: 'maxPerWindow', amount: '100000000000', window: 'day' } as const

/** Listed columns that an embedded store does not have. */
const ON_POSTGRES = new Set(storeUnderTest() === 'sqlite' ? ['agents.version', 'agent_keys.version'] : [])

type Unsealed = { readonly tables: ReadonlySet<string>; readonly columns: ReadonlySet<string> }

/** The first cells of the list: whole tables, or columns as in "`table`: `column`, `column`". */
function documented(): Unsealed {
  const section = readFileSync(PAGE, 'utf8')
    .split('\n## Write access to the database\n')[1]
    ?.split('\n## ')[0]
  const groups = [...(section ?? '').matchAll(/^\| (`[^|]+?) +\|/gm)].flatMap(([, cell = '']) =>
    cell.split('; '),
  )
  const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const columns = groups.flatMap((group) => {
    const [table = '', list] = group.split(': ')
    return list === undefined ? [] : namesIn(list).map((column) => `${namesIn(table)}.${column}`)
  })
  return {
    tables: new Set(groups.filter((group) => !group.includes(': ')).flatMap(namesIn)),
    columns: new Set(columns),
  }
}

/** The store of a stopped service that has rows of all kinds in the tables that are verified. */
async function usedStore() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder()).path
  opened.defer(() => removeStore(folder))
  {
    await using app = await openTestApp({ folder, env: { ...ADMIN, LIMIT_IP_RPM: '1000' } })
    const { id, apiKey } = await registerAgent(app, { email: ANN })
    const ann = app.client({ token: await signIn(app, ANN) })
    const key = app.client({ apiKey })
    const validatorId = (await key.validators({ status: 'active' })).data[0]?.id ?? ''
    const stake = (amount: string) => key.buildStake({ validatorId, amount, sender: ME })
    await ann.writePolicy({ id, rules: [ALL] })
    await ann.writePolicy({ id, rules: [ALL, ABOVE_FIVE, DAY_WINDOW], revision: 1 })
    for (const decision of ['approve', 'refuse'] as const) {
      const { approvalId } = await approvalOf(stake(TEN))
      await ann.decideApproval({ id, decision, approvalId })
    }
    const [seen, , released] = [
      await stake('1000000000'),
      await stake('2000000000'),
      await stake('3000000000'),
    ]
    await key.releaseReservation({ intentId: released.intentId })
    await key.sandboxExecute({ sender: ME, commands: seen.commands })
    await app.runJob('watch-network')
    await ann.createKey({ id, name: 'named' })
    app.clock.advance(DAY_MS)
    const later = app.client({ token: await userToken(app, ANN) })
    const { data } = await later.rotateKey({ id, gracePeriodSeconds: 604_800 })
    await app.client({ apiKey: data.apiKey }).usage()
    // Reading the log brings its index of agents up to date.
    await later.agentAudit({ id })
    await registerAgent(app, { email: 'eve@example.com' })
    await app.runJob('sign-audit')
    await app.runJob('anchor-audit')
  }
  const resources = opened.move()
  return { folder, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function isIntact(folder: string): Promise<boolean> {
  const read = readConfig({ DATA_DIR: folder, ...(await storeVariables(folder)) })
  assert(read.kind === 'ok')
  return (await verifyAuditLog(read.config)).kind === 'intact'
}

const TABLES =
  storeUnderTest() === 'sqlite'
    ? "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    : `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = current_schema()::regnamespace`

type Row = Readonly<Record<string, unknown>>

/** Most rows of a table that are changed. */
const MOST = 4

/** Always with the last row: a number that rows are counted by can only be raised there. */
const spread = (rows: readonly Row[]): readonly Row[] =>
  rows.filter((_, at) => (rows.length - 1 - at) % Math.ceil(rows.length / MOST) === 0)

const toSql = (value: unknown): string =>
  value === null || typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** Another value of the same form: text of a number stays one, and JSON stays readable. */
function changed(value: unknown): unknown {
  if (value === null) return '1'
  if (typeof value === 'number') return value + 1
  const text = String(value)
  if (/^\d+$/.test(text)) return String(BigInt(text) + 1n)
  return text.startsWith('{"') ? text.replace('{"', '{"x') : `${text}x`
}

/** A row of another agent, or with another value in the column. */
const forge = (row: Row, column: string, [first, last]: readonly unknown[]): Row => ({
  ...row,
  [column]: column !== 'agent_no' ? changed(row[column]) : row[column] === last ? first : last,
})

/** In Postgres a trigger changes `version` with every other column. */
const whereIs = (row: Row): string =>
  Object.entries(row)
    .filter(([column]) => column !== 'version')
    .map(([column, value]) => `${column} is not distinct from ${toSql(value)}`)
    .join(' and ')

/** The outcome of a changed column. `impossible`: the database refuses the change by a constraint. */
async function outcomeOf(
  folder: string,
  table: string,
  { row, forged, column }: { readonly row: Row; readonly forged: Row; readonly column: string },
): Promise<'found' | 'intact' | 'impossible'> {
  const write = (from: Row, to: Row) =>
    askStore(
      folder,
      `update ${table} set ${column} = ${toSql(to[column])} where ${whereIs(from)} returning 1 as done`,
    )
  const written = await write(row, forged).catch(() => undefined)
  if (!written) return 'impossible'
  assert.equal(written.length, 1)
  const outcome = (await isIntact(folder)) ? 'intact' : 'found'
  assert.equal((await write(forged, row)).length, 1)
  return outcome
}

test('every column that can be changed with `audit verify` calling the store intact is listed in docs/security.md', async () => {
  await using store = await usedStore()
  const { folder } = store
  const listed = documented()
  const missing = new Set<string>()
  const existing = new Set<string>()
  const tables = (await askStore(folder, TABLES)).map(({ name }) => String(name))
  const agentNos = (await askStore(folder, 'select no from agents order by no')).map(({ no }) => no)
  assert.equal(agentNos.length, 2)
  assert(await isIntact(folder))
  for (const table of tables.filter((name) => !listed.tables.has(name))) {
    const rows = spread(await askStore(folder, `select * from ${table}`))
    assert(rows.length > 0, `${table} is not listed, and has no row to be changed`)
    for (const column of Object.keys(rows[0] ?? {})) {
      existing.add(`${table}.${column}`)
      if (listed.columns.has(`${table}.${column}`)) continue
      const outcomes = new Set<string>()
      for (const row of rows) {
        const forged = forge(row, column, agentNos)
        outcomes.add(await outcomeOf(folder, table, { row, forged, column }))
      }
      if (outcomes.has('intact') || !outcomes.has('found'))
        missing.add(`${table}.${column}: ${[...outcomes]}`)
    }
  }
  assert.deepEqual([...missing], [])
  assert.deepEqual(
    [...listed.columns].filter((column) => !existing.has(column) && !ON_POSTGRES.has(column)),
    [],
    'listed, but not a column of a table that is verified',
  )
  assert(await isIntact(folder))
})

import assert from 'node:assert/strict'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { AUDIT_KEY_FILE } from '#adapters/sql/audit/seal.ts'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { backUpSqlite } from '#adapters/sql/sqlite/backup.ts'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { testClock } from '../../support/test-clock.ts'
import { until } from '../../support/until.ts'
import { AUDIT_SECRET, agentCalled, openAdmissionStore, requestOf } from '../admission-store.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const IDS = ['a', 'b', 'c', 'd']
const LIMITS = { rpm: 50, rpd: 50 }
/** Every commit but the first goes to the journal, which is not folded into the rows. */
const UNFOLDED = { journal: { pages: 0 } }

const openIn = (folder: string) => openAdmissionStore(folder, testClock(NOON), UNFOLDED)
type Store = Awaited<ReturnType<typeof openIn>>

/** Sends one request of each agent and returns their daily counts, or why a request was not admitted. */
async function askAll({ admission }: Store): Promise<readonly (number | string | undefined)[]> {
  const asked = await Promise.allSettled(IDS.map((id) => admission.admit(requestOf(id, NOON))))
  return asked.map((one) => {
    if (one.status === 'rejected') return 'failed'
    return one.value.kind === 'admitted' ? one.value.quota?.usedDay : one.value.kind
  })
}

/** The files of a killed service: each agent made three requests, of which the journal has the last two. */
async function killedFolder(root: string): Promise<string> {
  const [folder, image] = [join(root, 'live'), join(root, 'killed')]
  for (const each of [folder, image]) await mkdir(each)
  await using store = await openIn(folder)
  await writeFile(join(folder, AUDIT_KEY_FILE), AUDIT_SECRET)
  for (const id of IDS) await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  for (let time = 1; time <= 3; time += 1) assert.deepEqual(await askAll(store), [time, time, time, time])
  for (const name of ['stakewright.db', 'stakewright.db-wal', AUDIT_KEY_FILE])
    await copyFile(join(folder, name), join(image, name))
  return image
}

const change = (folder: string, sql: string) => {
  using database = new DatabaseSync(join(folder, 'stakewright.db'))
  assert.notEqual(database.prepare(sql).run().changes, 0)
}

async function reasonOf(folder: string): Promise<string> {
  const verdict = await verifyAudit(folder)
  return verdict.kind === 'broken' ? verdict.reason : verdict.kind
}

test('the log of a killed service is intact, and counts that only the journal has are not lost', async () => {
  await using root = await tempFolder()
  const folder = await killedFolder(root.path)
  assert.equal(await reasonOf(folder), 'intact')
  await using store = await openIn(folder)
  assert.deepEqual(await askAll(store), [4, 4, 4, 4])
})

test('a backup of a running service has the counts that only the journal has', async () => {
  await using root = await tempFolder()
  const copy = join(root.path, 'copy')
  {
    const folder = await killedFolder(root.path)
    await using store = await openIn(folder)
    assert.deepEqual(await askAll(store), [4, 4, 4, 4])
    await backUpSqlite(folder, copy, [AUDIT_KEY_FILE], 'audit-anchor')
  }
  using database = new DatabaseSync(join(copy, 'stakewright.db'))
  assert.deepEqual(
    { ...database.prepare('select count(*) as commits from counter_journal').get() },
    { commits: 1 },
  )
  assert.equal(await reasonOf(copy), 'intact')
  await using store = await openIn(copy)
  assert.deepEqual(await askAll(store), [5, 5, 5, 5])
})

test('opening the store of a killed service, for example to migrate it, folds the journal into the rows', async () => {
  await using root = await tempFolder()
  await using store = await openSqlite(await killedFolder(root.path))
  const rows = await store.db.selectFrom('agent_activity').select('day_used').execute()
  assert.deepEqual(
    rows.map((row) => row.day_used),
    [3, 3, 3, 3],
  )
  assert.deepEqual(await store.db.selectFrom('counter_journal').selectAll().execute(), [])
})

test('a query by another program unpacks the journal once, not once for each agent', async () => {
  await using root = await tempFolder()
  using database = new DatabaseSync(join(await killedFolder(root.path), 'stakewright.db'))
  const plan = database.prepare('explain query plan select sum(day_used) from agent_counters').all()
  const steps = plan.map((row) => String(row['detail']))
  assert.equal(steps.filter((step) => step.includes('json_each')).length, 1, steps.join('\n'))
  assert(
    steps.some((step) => /^SEARCH u USING AUTOMATIC .*INDEX \(agent_no=\?\)/.test(step)),
    steps.join('\n'),
  )
})

const LAST = 'seq = (select max(seq) from counter_journal)'
/** Changes to the journal by an attacker who can write the database, and what `audit verify` reports. */
const TAMPERED = {
  'is emptied': [
    'delete from counter_journal',
    /^1 requests of agent 1 were counted on 2026-01-31, and 3 are logged$/,
  ],
  'lacks its last commit': [
    `delete from counter_journal where ${LAST}`,
    /^2 requests of agent 1 were counted/,
  ],
  'has lower quotas': [
    `update counter_journal set body = json_replace(body, '$[2][4]', 1) where ${LAST}`,
    /^agent 3 made 3 requests on 2026-01-31, and its quota was charged with 1$/,
  ],
  'has fewer requests': [
    `update counter_journal set body = json_replace(body, '$[2][9]', '{"metadata":1}') where ${LAST}`,
    /^1 requests of agent 3 were counted/,
  ],
  'is older than the rows': ['update counter_journal set seq = -seq', /^1 requests of agent 1 were counted/],
} as const

for (const [what, [sql, reason]] of Object.entries(TAMPERED))
  test(`\`audit verify\` reports a journal of counters that ${what}`, async () => {
    await using root = await tempFolder()
    const folder = await killedFolder(root.path)
    change(folder, sql)
    assert.match(await reasonOf(folder), reason)
  })

/** Damaged bodies of a journal row, and each agent's daily count after one more request. */
const DAMAGED = {
  'that is no JSON': ["'garbage'", [3, 3, 3, 3]],
  'with JSON of another shape': [`'{"a":[1],"b":2}'`, [3, 3, 3, 3]],
  'with bytes': [`x'00ff'`, [3, 3, 3, 3]],
  'with an entry that is text': [`json_replace(body, '$[1]', 'garbage')`, [4, 3, 4, 4]],
  'with an entry that ends early': [`json_replace(body, '$[1]', json('[2]'))`, [4, 3, 4, 4]],
  'with an agent that does not exist': [`json_replace(body, '$[1][0]', 99)`, [4, 3, 4, 4]],
  'with counts that cannot be read': [`json_replace(body, '$[1][9]', 'garbage')`, [4, 'failed', 4, 4]],
} as const

for (const [what, [body, expected]] of Object.entries(DAMAGED))
  test(`a row of the journal ${what}: the service starts, and the other agents are served`, async () => {
    await using root = await tempFolder()
    const folder = await killedFolder(root.path)
    change(folder, `update counter_journal set body = ${body} where ${LAST}`)
    assert.notEqual(await reasonOf(folder), 'intact')
    {
      await using store = await openIn(folder)
      assert.deepEqual(await askAll(store), expected)
    }
    assert.notEqual(await reasonOf(folder), 'intact')
  })

test('an idle service folds the journal into the rows, which can be edited from then on', {
  timeout: 20_000,
}, async (t) => {
  await using root = await tempFolder()
  await using store = await openIn(root.path)
  for (const id of IDS) await store.agents.register(agentCalled(id, { customLimits: LIMITS }), undefined)
  for (let time = 1; time <= 3; time += 1) await askAll(store)
  using other = new DatabaseSync(join(root.path, 'stakewright.db'), { timeout: 5_000 })
  const used = other.prepare('select day_used from agent_activity')
  const usedBy = () => used.all().map((row) => row['day_used'])
  assert.deepEqual(usedBy(), [1, 1, 1, 1])
  for (const edit of ['update agent_activity set day_used = 9', 'delete from agent_activity'])
    assert.throws(
      () => other.exec(edit),
      /counter_journal has newer counters than agent_activity: let the service stop/,
    )
  await until(() => usedBy().every((each) => each === 3) || t.signal.aborted)
  await until(() => other.prepare('select 1 from counter_journal').get() === undefined || t.signal.aborted)
  other.exec('update agent_activity set day_used = 9')
  assert.deepEqual(await askAll(store), [10, 10, 10, 10])
})

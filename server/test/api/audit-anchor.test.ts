import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { LogFields, Logger } from '#ports/logger.ts'
import { readConfig } from '../../src/config.ts'
import { backUpStore } from '../../src/operator/back-up-store.ts'
import { verifyAuditLog } from '../../src/operator/operator.ts'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import {
  anchorsIn,
  changeStore,
  removeStore,
  storeUnderTest,
  storeVariables,
  testOnSqlite,
} from '../support/test-store.ts'

/** The refusal of a store from before the first release. Its advice differs by engine. */
const UNRELEASED =
  storeUnderTest() === 'sqlite'
    ? /stakewright\.db was written by a version before the first release.* Nothing was changed\. Move the folder away \(mv .*\) and start again/
    : /^The database was written by a version before the first release.* Nothing was changed\. Start with an empty database and an empty DATA_DIR\.$/

const LOG_TABLES = ['audit_batches', 'audit_checkpoints', 'audit_marks']
const COUNTERS = ['agent_days', 'agent_activity', 'user_activity']

/** An attacker who can write the database, and nothing else. */
async function writeDatabase(folder: string, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await changeStore(folder, statement)
}

const keepCopy = (folder: string, tables: readonly string[]) =>
  writeDatabase(
    folder,
    tables.map((name) => `create table old_${name} as select * from ${name}`),
  )

const putBack = (folder: string, tables: readonly string[]) =>
  writeDatabase(
    folder,
    tables.flatMap((name) => [`delete from ${name}`, `insert into ${name} select * from old_${name}`]),
  )

const empty = (folder: string, tables: readonly string[]) =>
  writeDatabase(
    folder,
    tables.map((name) => `delete from ${name}`),
  )

const ALL = [...LOG_TABLES, 'agent_batches', 'agent_actions', ...COUNTERS]

async function verdictOf(folder: string, env: Record<string, string> = {}, since?: string) {
  const read = readConfig({ DATA_DIR: folder, ...(await storeVariables(folder)), ...env })
  assert(read.kind === 'ok')
  return verifyAuditLog(read.config, since)
}

async function reasonOf(...of: Parameters<typeof verdictOf>): Promise<string> {
  const verdict = await verdictOf(...of)
  return verdict.kind === 'broken' ? verdict.reason : verdict.kind
}

/** The verdict without the anchor in the folder: on Postgres an instance may start without one. */
const WITHOUT_OWN =
  storeUnderTest() === 'sqlite' ? /^the log was anchored, and its anchor .* is missing$/ : /^intact$/

async function work(app: TestApp): Promise<void> {
  const { id, apiKey } = await admitAgent(app)
  for (let count = 0; count < 3; count += 1) await app.client({ apiKey }).usage()
  const user = app.client({ token: await userToken(app, 'ann@example.com') })
  await user.rotateKey({ id })
  await app.runJob('sign-audit')
  await app.runJob('anchor-audit')
}

/** A log of two parts, both anchored. Copies of the tables are made between them. */
async function anchoredLog(tables: readonly string[], env: Record<string, string> = {}) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder()).path
  opened.defer(() => removeStore(folder))
  const lines: LogFields[] = []
  const logger: Logger = {
    ...silentLogger,
    info: (event, fields = {}) => void (event === 'audit checkpoint' && lines.push(fields)),
  }
  {
    await using app = await openTestApp({ folder, env, logger })
    await work(app)
  }
  await keepCopy(folder, tables)
  {
    await using app = await openTestApp({ folder, env, logger })
    app.clock.advance(3_600_000)
    await work(app)
  }
  assert.deepEqual([(await verdictOf(folder, env)).kind, lines.length > 1], ['intact', true])
  const resources = opened.move()
  return { folder, lines, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('older tables in place of the present ones are found, and stay found when the service goes on', async () => {
  await using log = await anchoredLog(ALL)
  await putBack(log.folder, ALL)
  const verdict = await verdictOf(log.folder)
  assert(verdict.kind === 'broken' && /anchored/.test(verdict.reason), JSON.stringify(verdict))
  const logged: string[] = []
  const logger: Logger = { ...silentLogger, error: (event) => void logged.push(event) }
  {
    await using app = await openTestApp({ folder: log.folder, logger })
    app.clock.advance(7_200_000)
    for (let round = 0; round < 3; round += 1) await work(app)
  }
  assert(logged.some((event) => /not the one that was anchored/.test(event)))
  assert.equal((await verdictOf(log.folder)).kind, 'broken')
})

test('emptied tables are found, including counters', async () => {
  await using log = await anchoredLog(ALL)
  await empty(log.folder, ALL)
  assert.equal((await verdictOf(log.folder)).kind, 'broken')
})

test('older management actions in place of the present ones are found', async () => {
  await using log = await anchoredLog(['agent_actions'])
  await putBack(log.folder, ['agent_actions'])
  const verdict = await verdictOf(log.folder)
  assert(verdict.kind === 'broken' && /management action \d+ was anchored/.test(verdict.reason))
})

test('a log that lacks counted requests is found without any anchor', async () => {
  const tables = [...LOG_TABLES, 'agent_batches']
  await using log = await anchoredLog(tables)
  for (const file of anchorsIn(log.folder)) await rm(file, { force: true })
  await putBack(log.folder, tables)
  const verdict = await verdictOf(log.folder)
  assert(verdict.kind === 'broken' && /were counted/.test(verdict.reason), JSON.stringify(verdict))
})

test('an anchor in a second place finds older tables after the one in the folder was removed', async () => {
  await using elsewhere = await tempFolder()
  const env = { AUDIT_ANCHOR_FILE: join(elsewhere.path, 'anchor.json') }
  await using log = await anchoredLog(ALL, env)
  for (const file of anchorsIn(log.folder)) await rm(file, { force: true })
  await putBack(log.folder, ALL)
  assert.match(await reasonOf(log.folder), WITHOUT_OWN)
  assert.match(await reasonOf(log.folder, env), /anchored/)
  await rm(env.AUDIT_ANCHOR_FILE)
  assert.match(await reasonOf(log.folder, env), /^the log was anchored, and its anchor .* is missing$/)
})

test('a checkpoint that was kept elsewhere finds older tables, too; a forged one is refused', async () => {
  await using log = await anchoredLog(ALL)
  const [first, last] = [log.lines[0], log.lines.at(-1)].map((line) => JSON.stringify(line))
  for (const line of [first, last]) {
    const verdict = await verdictOf(log.folder, {}, line)
    assert(verdict.kind === 'intact' && verdict.anchors === 1, 'a checkpoint is no anchor of the end')
  }
  for (const file of anchorsIn(log.folder)) await rm(file, { force: true })
  await putBack(log.folder, ALL)
  assert.match(await reasonOf(log.folder, {}, first), WITHOUT_OWN)
  assert.match(await reasonOf(log.folder, {}, last), /before a checkpoint that was anchored|is not the one/)
  for (const forged of [{ ...log.lines[0], no: 9 }, { ...log.lines[0], signature: 'AAAA' }, {}, 'x']) {
    await assert.rejects(verdictOf(log.folder, {}, JSON.stringify(forged)), /no checkpoint that this service/)
  }
})

/** The store of a stopped service. An admin has suspended, resumed and revoked agent 1. */
async function stoppedStore() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder()).path
  opened.defer(() => removeStore(folder))
  {
    await using app = await openTestApp({ folder, env: { ADMIN_TOTP: 'optional' } })
    const { id } = await admitAgent(app)
    await work(app)
    const admin = app.client({ token: await userToken(app, 'root@example.com', 'admin') })
    await admin.updateAgent({ id, status: 'suspended' })
    await keepCopy(folder, ['agents'])
    await admin.updateAgent({ id, status: 'active' })
    await admin.revokeAgent({ id })
  }
  const resources = opened.move()
  return { folder, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('a table that is missing is never taken for one that is empty', async () => {
  await using store = await stoppedStore()
  assert.equal(await reasonOf(store.folder), 'intact')
  for (const table of [
    'migrations',
    'seals',
    'agents',
    'agent_keys',
    'agent_actions',
    'agent_days',
    'policies',
    ...LOG_TABLES,
  ]) {
    await changeStore(store.folder, `alter table ${table} rename to away`)
    assert.equal(await reasonOf(store.folder), `the table ${table} is missing`)
    await changeStore(store.folder, `alter table away rename to ${table}`)
  }
  await writeDatabase(store.folder, [
    'alter table agent_actions rename to away',
    "delete from migrations where name = '0002-identity'",
  ])
  assert.match(await reasonOf(store.folder), /the record of migration 0002-identity is missing/)
})

test('missing rows of agents and keys that other rows name are found', async () => {
  await using store = await stoppedStore()
  for (const [table, reason] of [
    ['agent_keys', /^the key of agt_\w+ is missing$/],
    ['agents', /^agent \d has made requests, and its row is missing$/],
  ] as const) {
    await writeDatabase(store.folder, ['delete from verifications', `delete from ${table}`])
    assert.match(await reasonOf(store.folder), reason)
  }
})

test('an agent whose row was put back to an earlier state is found by the actions since then', async () => {
  await using store = await stoppedStore()
  const old = (column: string) => `(select ${column} from old_agents where old_agents.no = agents.no)`
  await changeStore(store.folder, `update agents set status = ${old('status')}, mac = ${old('mac')}`)
  assert.match(
    await reasonOf(store.folder),
    /^agt_\w+ is suspended, but the management action \d+ \(revoke\) left it revoked$/,
  )
})

testOnSqlite('without the pepper no log is called intact', async () => {
  await using store = await stoppedStore()
  await rm(join(store.folder, 'key-pepper'))
  await assert.rejects(verdictOf(store.folder), /^Fault: Nothing was verified/)
  assert.match(
    await verdictOf(store.folder, { KEY_PEPPER: 'another pepper than the one it was created with' }).then(
      JSON.stringify,
    ),
    /the pepper differs from the one that this store was created with/,
  )
})

test('a running service finds a change of the log even if its anchors were removed', async () => {
  await using folder = await tempFolder()
  const logged: string[] = []
  const note = (event: string) => void logged.push(event)
  await using app = await openTestApp({
    folder: folder.path,
    logger: { ...silentLogger, error: note, warn: note },
  })
  await work(app)
  for (const file of anchorsIn(folder.path)) await rm(file, { force: true })
  await changeStore(folder.path, 'delete from agent_actions where no = (select max(no) from agent_actions)')
  await app.runJob('anchor-audit')
  assert(logged.includes('the audit log is not the one that was anchored'), logged.join())
  assert.deepEqual(anchorsIn(folder.path).filter(existsSync), [], 'no anchor is made of a log that was cut')
})

testOnSqlite(
  'beginning a new anchor is logged, and the verdict says since when the log is anchored',
  async () => {
    await using log = await anchoredLog([])
    for (const file of anchorsIn(log.folder)) await rm(file, { force: true })
    assert.match(await reasonOf(log.folder), WITHOUT_OWN)
    const logged: string[] = []
    {
      await using app = await openTestApp({
        folder: log.folder,
        logger: { ...silentLogger, error: (event, thrown) => void logged.push(`${event} (${thrown})`) },
      })
      for (let round = 0; round < 2; round += 1) await app.runJob('anchor-audit')
    }
    assert.deepEqual(logged, [
      'the anchor of the audit log is missing: starting a new one (Error: no file has an anchor of this log)',
    ])
    const verdict = await verdictOf(log.folder)
    assert(verdict.kind === 'intact' && verdict.anchoredSince !== undefined, JSON.stringify(verdict))
  },
)

testOnSqlite('a backup has the anchor of its log', async () => {
  await using log = await anchoredLog([])
  const copy = join(log.folder, 'copy')
  const read = readConfig({ DATA_DIR: log.folder })
  assert(read.kind === 'ok')
  assert.equal((await backUpStore(read.config, copy)).kind, 'intact')
  const verdict = await verdictOf(copy)
  assert(verdict.kind === 'intact' && verdict.anchors === 1)
})

test('rows whose seals were removed are not sealed again by a start', async () => {
  await using log = await anchoredLog([])
  const strip = ['agents', 'agent_keys', 'approvals'].map((table) => `update ${table} set mac = null`)
  await writeDatabase(log.folder, [...strip, "update agents set tier = 'enterprise'"])
  const forged = /^the row of agt_\w+ is not as this service has written it$/
  assert.match(await reasonOf(log.folder), forged)
  {
    await using app = await openTestApp({ folder: log.folder })
    await app.runJob('anchor-audit')
  }
  assert.match(await reasonOf(log.folder), forged)
})

test('a changed anchor stops the start', async () => {
  await using log = await anchoredLog([])
  const file = anchorsIn(log.folder).find(existsSync) ?? assert.fail()
  await writeFile(file, (await readFile(file, 'utf8')).replace('"mac":"', '"mac":"0'))
  await assert.rejects(openTestApp({ folder: log.folder }), /The anchor of the audit log in .* was changed/)
})

test('a store of a version before the first release is refused with advice, and is not called intact', async () => {
  await using log = await anchoredLog([])
  await changeStore(log.folder, "update migrations set name = '0001-chain-data' where name like '0001-%'")
  await assert.rejects(openTestApp({ folder: log.folder }), {
    code: 'store_not_ready',
    message: UNRELEASED,
  })
  assert.match(await reasonOf(log.folder), /^it was written by a version before the first release/)
})

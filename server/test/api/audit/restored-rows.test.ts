import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { userToken } from '../../support/admitted-agent.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { mailedCode, registerAgent, signIn } from '../../support/registered-agent.ts'
import { appCode } from '../../support/services/authenticator.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore } from '../../support/test-store.ts'
import { ALL, ANN, approvalOf, openWithApprovals } from '../policy/with-approvals.ts'

/** An attacker who can write the database, and nothing else, puts rows back to an earlier state, with their seals. */

const ROOT = 'root@example.com'

async function openManaged() {
  const app = await openTestApp({ env: { ADMIN_TOTP: 'optional', LIMIT_IP_RPM: '1000' } })
  const agent = await registerAgent(app)
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function reasonOf(app: TestApp): Promise<string> {
  const admin = app.client({ token: await userToken(app, ROOT, 'admin') })
  return (await admin.verifyAudit()).data.reason ?? 'intact'
}

const keepRows = (app: TestApp, table: string) =>
  changeStore(app.folder, `create table old_${table} as select * from ${table}`)

const putBackColumns = (app: TestApp, table: string, key: string, columns: readonly string[]) =>
  changeStore(
    app.folder,
    `update ${table} set ${columns
      .map((column) => `${column} = (select ${column} from old_${table} o where o.${key} = ${table}.${key})`)
      .join(', ')}`,
  )

async function putBackRows(app: TestApp, table: string): Promise<void> {
  await changeStore(app.folder, `delete from ${table}`)
  await changeStore(app.folder, `insert into ${table} select * from old_${table}`)
}

test('a key in its grace period that a second rotation ended is found if its row is put back', async () => {
  await using opened = await openManaged()
  const { app, agent, ann } = opened
  await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 604_800 })
  await keepRows(app, 'agent_keys')
  assert.equal(await reasonOf(app), 'intact')
  await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 })
  assert.equal(await reasonOf(app), 'intact')
  await changeStore(
    app.folder,
    'insert into agent_keys select * from old_agent_keys where digest not in (select digest from agent_keys)',
  )
  await app.client({ apiKey: agent.apiKey }).metadata()
  assert.match(
    await reasonOf(app),
    new RegExp(`^a former key of ${agent.id} works, but the management action \\d+ ended it$`),
  )
})

test('changed names and prefixes, by which an owner tells keys apart, are found', async () => {
  await using opened = await openManaged()
  const { app, agent, ann } = opened
  const { data: good } = await ann.createKey({ id: agent.id, name: 'good' })
  const { data: leaked } = await ann.createKey({ id: agent.id, name: 'leaked' })
  const change = (column: string, id: string, value: string) =>
    changeStore(app.folder, `update agent_keys set ${column} = '${value}' where id = '${id}'`)
  const notThose = new RegExp(
    `^the name and prefix of a key of ${agent.id} are not those of the management action \\d+$`,
  )
  for (const [column, value, other] of [
    ['name', 'good', 'leaked'],
    ['prefix', good.keyPrefix, leaked.keyPrefix],
  ] as const) {
    await change(column, good.id, other)
    assert.match(await reasonOf(app), notThose)
    await change(column, good.id, value)
    assert.equal(await reasonOf(app), 'intact')
  }
  await ann.revokeKey({ id: agent.id, keyId: leaked.id })
  await ann.rotateKey({ id: agent.id })
  assert.equal(await reasonOf(app), 'intact')
  await changeStore(app.folder, `update agents set key_prefix = 'stk_FAKEFAKE' where id = '${agent.id}'`)
  assert.match(
    await reasonOf(app),
    new RegExp(`^the prefix of the key of ${agent.id} is not that of the management action \\d+$`),
  )
})

test('a changed prefix of a primary key is found, also of one that a rotation replaced', async () => {
  await using opened = await openManaged()
  const { app, agent, ann } = opened
  const { apiKey } = (await ann.rotateKey({ id: agent.id, gracePeriodSeconds: 60 })).data
  await keepRows(app, 'agent_keys')
  const primary = `update agent_keys set prefix = 'stk_FAKEFAKE' where id is null and`
  for (const [end, key] of [
    ['is not null', agent.apiKey],
    ['is null', apiKey],
  ] as const) {
    await changeStore(app.folder, `${primary} valid_until ${end} and prefix = '${key.slice(0, 12)}'`)
    assert.match(
      await reasonOf(app),
      new RegExp(`^the name and prefix of a key of ${agent.id} are not those of the management action \\d+$`),
    )
    await putBackRows(app, 'agent_keys')
    assert.equal(await reasonOf(app), 'intact')
  }
})

test('limits that were put back to those before an admin set them are found', async () => {
  await using opened = await openManaged()
  const { app, agent } = opened
  await keepRows(app, 'agents')
  const admin = app.client({ token: await userToken(app, ROOT, 'admin') })
  await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 1, rpd: 2 } })
  assert.equal(await reasonOf(app), 'intact')
  await putBackColumns(app, 'agents', 'no', ['rpm', 'rpd', 'mac'])
  assert.match(
    await reasonOf(app),
    new RegExp(`^the limits of ${agent.id} are not those that the management action \\d+ has set$`),
  )
})

test('a policy that was put back to before it was tightened is found, even after it is set again', async () => {
  await using opened = await openManaged()
  const { app, agent, ann } = opened
  const { id } = agent
  await ann.writePolicy({ id, rules: [ALL] })
  for (const table of ['agents', 'policies']) await keepRows(app, table)
  await ann.writePolicy({ id, rules: [], revision: 1 })
  assert.equal(await reasonOf(app), 'intact')
  await putBackColumns(app, 'agents', 'no', ['policy_revision', 'mac'])
  await putBackRows(app, 'policies')
  assert.match(
    await reasonOf(app),
    new RegExp(`^the policy of ${id} is not the one that the management action \\d+ has set$`),
  )
  await ann.writePolicy({ id, rules: [], revision: 1 })
  assert.match(
    await reasonOf(app),
    new RegExp(`^the policy of ${id} had been set back before the management action \\d+$`),
  )
})

test('a refused approval that was put back to approved is found', async () => {
  await using opened = await openWithApprovals()
  const { app, stake, decide } = opened
  const { approvalId: id } = await approvalOf(stake())
  await decide(id, 'approve')
  await keepRows(app, 'approvals')
  await decide(id, 'refuse')
  assert.equal(await reasonOf(app), 'intact')
  await putBackRows(app, 'approvals')
  assert.match(
    await reasonOf(app),
    new RegExp(`^the approval ${id} is approved, but the management action \\d+ \\(refuse-transaction\\)`),
  )
})

test('an ended session whose row was put back is found', async () => {
  await using opened = await openManaged()
  const { app, ann } = opened
  await keepRows(app, 'sessions')
  const [{ id } = { id: '' }] = (await ann.listSessions()).data
  await ann.endSession({ id })
  assert.equal(await reasonOf(app), 'intact')
  await putBackRows(app, 'sessions')
  await ann.listAgents()
  assert.match(
    await reasonOf(app),
    new RegExp(`^the session ${id} is open, but the management action \\d+ ended it$`),
  )
})

test('sessions from before the second factor, and used recovery codes, are found if their rows are put back', async () => {
  await using app = await openTestApp({ env: { ADMIN_EMAILS: ROOT, ADMIN_TOTP: 'optional' } })
  const root = app.client({ token: await signIn(app, ROOT) })
  await keepRows(app, 'sessions')
  const { secret } = (await root.enrolTotp()).data
  const { recoveryCodes } = (await root.confirmTotp({ code: appCode(secret, app.clock.now()) })).data
  await keepRows(app, 'recovery_codes')
  await app.client().requestCode({ email: ROOT })
  const { data } = await app
    .client()
    .exchangeCode({ email: ROOT, code: await mailedCode(app, ROOT), totp: recoveryCodes[0] ?? '' })
  const verify = async () =>
    (await app.client({ token: data.accessToken }).verifyAudit()).data.reason ?? 'intact'
  assert.equal(await verify(), 'intact')
  await changeStore(app.folder, 'insert into sessions select * from old_sessions')
  assert.match(await verify(), /^the session \w+ is open, but the management action \d+ ended it$/)
  await changeStore(app.folder, 'delete from sessions where id in (select id from old_sessions)')
  await putBackRows(app, 'recovery_codes')
  assert.match(await verify(), /^a recovery code of \S+ is valid, but was used by the management action \d+$/)
})

test('emptied counters are found by the requests that are logged', async () => {
  await using opened = await openManaged()
  const { app, agent } = opened
  for (let count = 0; count < 3; count += 1) await app.client({ apiKey: agent.apiKey }).metadata()
  app.clock.advance(DAY_MS)
  for (let count = 0; count < 2; count += 1) await app.client({ apiKey: agent.apiKey }).usage()
  for (const table of ['agent_days', 'agent_activity']) await keepRows(app, table)
  assert.equal(await reasonOf(app), 'intact')
  const [{ no } = { no: 0 }] = await askStore(app.folder, `select no from agents where id = '${agent.id}'`)
  await changeStore(app.folder, 'delete from agent_days')
  assert.match(
    await reasonOf(app),
    new RegExp(`^0 requests of agent ${no} were counted on [0-9-]{10}, and 3 are logged$`),
  )
  await putBackRows(app, 'agent_days')
  await changeStore(app.folder, 'update agent_activity set latest_day = null, tools = null')
  assert.match(
    await reasonOf(app),
    new RegExp(`^0 requests of agent ${no} were counted on [0-9-]{10}, and 2 are logged$`),
  )
  await putBackRows(app, 'agent_activity')
  await changeStore(app.folder, 'delete from agent_activity')
  assert.match(await reasonOf(app), new RegExp(`^0 requests of agent ${no} were counted on `))
  await putBackRows(app, 'agent_activity')
  assert.equal(await reasonOf(app), 'intact')
})

test('a lowered counter of a quota is found by the requests of its day', async () => {
  await using opened = await openManaged()
  const { app, agent } = opened
  const client = app.client({ apiKey: agent.apiKey })
  await client.usage()
  app.clock.advance(DAY_MS)
  for (let count = 0; count < 3; count += 1) await client.usage()
  await askFree(app, agent.apiKey)
  const [{ no } = { no: 0 }] = await askStore(app.folder, `select no from agents where id = '${agent.id}'`)
  await keepRows(app, 'agent_activity')
  const change = async (changes: string) => {
    await changeStore(app.folder, `update agent_activity set ${changes} where agent_no = ${no}`)
    const reason = await reasonOf(app)
    await putBackRows(app, 'agent_activity')
    return reason
  }
  const charged = (used: number) =>
    new RegExp(`^agent ${no} made 3 requests on [0-9-]{10}, and its quota was charged with ${used}$`)
  assert.match(await change('day_used = 2'), charged(2))
  assert.match(await change(`day_start = day_start - ${DAY_MS}`), charged(0))
  assert.equal(
    await change(`day_start = day_start + ${DAY_MS}, day_used = 0`),
    `the quota of agent ${no} counts a day on which it made no request`,
  )
  assert.equal(await change('day_used = 30'), 'intact', 'an agent inherits what its owner has used')
})

/** A message that calls no tool: its key is checked, and nothing is charged. */
async function askFree(app: TestApp, apiKey: string): Promise<void> {
  const { status } = await sendRaw(app.url, 'POST /mcp', {
    headers: ['X-API-Key', apiKey, 'Accept', 'application/json, text/event-stream'],
    json: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  assert.equal(status, 200)
}

test('a quota that began anew after a wrong clock is not taken for a lowered one', async () => {
  await using opened = await openManaged()
  const { app, agent } = opened
  const client = app.client({ apiKey: agent.apiKey })
  for (const days of [0, 3, -3, -3, 3]) {
    app.clock.advance(days * DAY_MS)
    for (let count = 0; count < 3; count += 1) await client.usage()
    assert.equal(await reasonOf(app), 'intact', `after ${days} days`)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/durations.ts'
import { admitAgent, userToken } from '../../support/admitted-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { askStore, changeStore, storeUnderTest } from '../../support/test-store.ts'

/** Instances on Postgres read a row again when its version has changed. */
const NEWER = storeUnderTest() === 'sqlite' ? '' : ', version = version + 1'

/** The outcomes of simultaneous requests with these keys, by key. */
async function askAtOnce(app: TestApp, keys: readonly string[]): Promise<readonly (readonly string[])[]> {
  const ask = (apiKey: string) =>
    app
      .client({ apiKey, retries: 0 })
      .usage()
      .then(
        () => 'served',
        ({ code }) => String(code),
      )
  const answers = keys.map((key) => Promise.all([ask(key), ask(key), ask(key)]))
  return (await Promise.all(answers)).map((each) => [...new Set(each)])
}

async function reasonOf(app: TestApp): Promise<string> {
  const admin = app.client({ token: await userToken(app, 'root@example.com', 'admin') })
  return (await admin.verifyAudit()).data.reason ?? 'intact'
}

test('damaged counters of an agent fail its own requests, and `audit verify` names them', async () => {
  await using app = await openTestApp({ env: { ADMIN_TOTP: 'optional' } })
  const [damaged, other] = [await admitAgent(app), await admitAgent(app)]
  const keys = [damaged.apiKey, other.apiKey]
  assert.deepEqual(await askAtOnce(app, keys), [['served'], ['served']])
  const [{ no, day } = { no: 0, day: 0 }] = await askStore(
    app.folder,
    `select no, latest_day as day from agents join agent_activity on agent_no = no where id = '${damaged.id}'`,
  )
  await changeStore(app.folder, `create table kept as select agent_no, tools from agent_activity`)
  await changeStore(app.folder, `update agent_activity set tools = 'garbage'${NEWER} where agent_no = ${no}`)
  assert.deepEqual(await askAtOnce(app, keys), [['internal_error'], ['served']])
  assert.match(await reasonOf(app), new RegExp(`^the counts of agent ${no} on [0-9-]{10} cannot be read$`))

  // A damaged row of the previous day, to which the counts of that day have to be added.
  await changeStore(
    app.folder,
    `update agent_activity set tools = (select tools from kept where kept.agent_no = agent_activity.agent_no)${NEWER}
     where agent_no = ${no}`,
  )
  await changeStore(app.folder, `insert into agent_days values (${no}, ${day}, 'garbage', 0, 0)`)
  app.clock.advance(DAY_MS)
  assert.deepEqual(await askAtOnce(app, keys), [['served'], ['served']])
  assert.match(await reasonOf(app), new RegExp(`^the counts of agent ${no} on [0-9-]{10} cannot be read$`))
})

test('a damaged batch ends a page of the requests of an agent; the next one says that the log was damaged', async () => {
  await using app = await openTestApp()
  const [agent, earlier] = [await admitAgent(app), await admitAgent(app)]
  const owner = app.client({ token: await userToken(app, 'ann@example.com') })
  for (const { apiKey } of [earlier, agent]) await app.client({ apiKey }).usage()
  await changeStore(
    app.folder,
    `update audit_batches set body = '{"i":[[' where seq = (select max(seq) from audit_batches)`,
  )
  await app.client({ apiKey: agent.apiKey }).usage()

  const page = await owner.agentAudit({ id: agent.id })
  assert.equal(page.data.filter(({ action }) => action === null).length, 1)
  assert(page.nextCursor, 'the page must not look like the last one')
  const damaged = { code: 'internal_error', message: /^A part of the audit log was damaged/ }
  await assert.rejects(owner.agentAudit({ id: agent.id, cursor: page.nextCursor }), damaged)
  await assert.rejects(owner.agentAudit({ id: earlier.id }), damaged)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { changeStore } from '../../support/test-store.ts'

const ROOT = 'root@example.com'
const openWithAdmin = () => openTestApp({ env: { ADMIN_EMAILS: ROOT } })

test('an admin sees stores, leader, nodes and the age of the data; a user does not', async () => {
  await using app = await openWithAdmin()
  const admin = app.client({ token: await signIn(app, ROOT) })
  const { data } = await admin.serviceStatus()
  assert.match(data.store.kind, /^(sqlite|postgres)$/)
  assert.equal(data.store.isWritable, true)
  assert.deepEqual([data.network, data.isLeader, data.nodes], ['sandbox', true, []])
  assert.equal(data.dataAgeSeconds, 0)
  // The stores of these tests give up durability for speed.
  assert.match(data.storeRisks.join(), /^(SQLite has synchronous = normal|Postgres has fsync = off): /)
  const ann = app.client({ token: await signIn(app, 'ann@example.com') })
  await assert.rejects(ann.serviceStatus(), { code: 'forbidden' })
  await assert.rejects(ann.verifyAudit(), { code: 'forbidden' })
})

test('an admin verifies the audit log of the running service: intact, until somebody changes it', async () => {
  await using app = await openWithAdmin()
  const { id, apiKey } = await registerAgent(app)
  await app.client({ apiKey }).usage()
  const admin = app.client({ token: await signIn(app, ROOT) })
  await admin.updateAgent({ id, status: 'suspended' })
  const { data } = await admin.verifyAudit()
  assert.deepEqual([data.isIntact, data.reason], [true, null])
  assert(data.batches !== null && data.batches > 0)
  const [first, second] = await Promise.all([admin.verifyAudit(), admin.verifyAudit()])
  assert.equal(first.data.isIntact && second.data.isIntact, true)

  await changeStore(app.folder, "update agent_actions set action = 'resume' where action = 'suspend'")
  const changed = (await admin.verifyAudit()).data
  assert.equal(changed.isIntact, false)
  assert.match(changed.reason ?? '', /management action/)
})

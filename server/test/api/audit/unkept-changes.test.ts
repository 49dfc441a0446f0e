import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { changeStore, storeUnderTest, testOnSqlite } from '../../support/test-store.ts'
import { dropWrites } from './drop-writes.ts'

const NOT_KEPT = { code: 'store_not_ready' }

test('503: a change that the database does not keep is never acknowledged', async () => {
  await using app = await openTestApp()
  const agent = await registerAgent(app)
  const token = await signIn(app, 'ann@example.com')
  const ann = app.client({ token })
  const { id } = agent
  const key = (await ann.createKey({ id, name: 'ci' })).data
  const session = (await ann.listSessions()).data[0]?.id ?? ''
  const changes = {
    rotate: () => ann.rotateKey({ id }),
    revoke: () => ann.revokeAgent({ id }),
    'create a key': () => ann.createKey({ id, name: 'other' }),
    'revoke a key': () => ann.revokeKey({ id, keyId: key.id }),
    'revoke itself': () => app.client({ apiKey: agent.apiKey }).revokeSelf(),
    'report a key': () => app.client().reportLeak({ apiKey: key.apiKey }),
    'end a session': () => ann.endSession({ id: session }),
    register: () => ann.registerAgent({ agentName: 'other' }),
    'ask for a code': () => app.client().requestCode({ email: 'ann@example.com' }),
  }
  const everything = [
    'rotate',
    'revoke',
    'create a key',
    'revoke a key',
    'revoke itself',
    'report a key',
  ] as const
  for (const [when, table, names] of [
    ['insert', 'agent_actions', everything],
    ['update', 'agents', ['rotate', 'revoke', 'revoke itself']],
    ['update', 'agent_keys', ['rotate', 'revoke a key', 'report a key']],
    ['insert', 'agent_keys', ['rotate', 'create a key', 'register']],
    ['insert', 'agents', ['register']],
    ['insert', 'outbox', ['rotate', 'revoke', 'create a key', 'ask for a code']],
    ['insert', 'mailed_codes', ['ask for a code']],
    ['delete', 'sessions', ['end a session']],
  ] as const) {
    const stop = await dropWrites(app, when, table)
    for (const name of names) await assert.rejects(changes[name], NOT_KEPT, `${name}: ${when} ${table}`)
    await stop()
  }
  await app.client({ apiKey: agent.apiKey }).metadata()
  await app.client({ apiKey: key.apiKey }).metadata()
  for (const name of ['revoke a key', 'end a session'] as const) await changes[name]()
})

testOnSqlite(
  '503: a revocation that a trigger reverts is not acknowledged, and recorded nowhere',
  async () => {
    await using app = await openTestApp()
    const { id, apiKey } = await registerAgent(app)
    const ann = app.client({ token: await signIn(app, 'ann@example.com') })
    await changeStore(
      app.folder,
      `create trigger back after update of status on agents begin
        update agents set status = old.status, mac = old.mac, revoked_at = null where no = new.no; end`,
    )
    await assert.rejects(ann.revokeAgent({ id }), NOT_KEPT)
    await assert.rejects(app.client().reportLeak({ apiKey }), NOT_KEPT)
    const { data } = await ann.agentAudit({ id })
    assert.deepEqual(
      data.map(({ action }) => action),
      ['activate', 'self-register'],
    )
  },
)

if (storeUnderTest() !== 'sqlite')
  test('503: a change that a rule of the database discards is refused like one that a trigger drops', async () => {
    await using app = await openTestApp()
    const { id } = await registerAgent(app)
    const ann = app.client({ token: await signIn(app, 'ann@example.com') })
    const rotate = () => ann.rotateKey({ id })
    const register = () => ann.registerAgent({ agentName: 'other' })
    const ask = () => app.client().requestCode({ email: 'ann@example.com' })
    for (const [table, changes] of [
      ['agents', [register]],
      ['agent_keys', [rotate, register]],
      ['agent_actions', [rotate, register]],
      ['outbox', [rotate, ask]],
      ['mail_counts', [rotate, ask]],
      ['mailed_codes', [ask]],
    ] as const) {
      await changeStore(app.folder, `create rule swallow as on insert to ${table} do instead nothing`)
      for (const change of changes) await assert.rejects(change, NOT_KEPT, table)
      await changeStore(app.folder, `drop rule swallow on ${table}`)
    }
    await register()
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { changeStore, testOnSqlite } from '../../support/test-store.ts'
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
    ['insert', 'agent_keys', ['rotate', 'create a key']],
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

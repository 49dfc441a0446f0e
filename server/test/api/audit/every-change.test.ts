import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, effectOf, ROUTES } from '@stakewright/contract'
import { userToken } from '../../support/admitted-agent.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { openForChanges } from './before-changes.ts'
import { CHANGES, MORE_CHANGES, UNRECORDED } from './changes.ts'
import { dropWrites } from './drop-writes.ts'
import { READ_BACK } from './read-back.ts'

const HERE = '127.0.0.0'
const [WITH_KEY, OTHERS] = [true, false].map((isWithKey) =>
  Object.entries(ROUTES)
    .filter(([name, { auth }]) => effectOf(toName(name)) !== 'none' && (auth === 'agent-key') === isWithKey)
    .map(([name]) => toName(name)),
)

/** Holds because the names are keys of `ROUTES`. */
function toName(name: string): EndpointName {
  return name as EndpointName
}

test('every route that changes something without a key is tested here, or listed with the reason why not', () => {
  const known = [...Object.keys(CHANGES), ...Object.keys(UNRECORDED)]
  assert.deepEqual(known.toSorted(), OTHERS?.toSorted())
})

for (const [name, { actions, by, prepare, isUsedUp }] of Object.entries({ ...CHANGES, ...MORE_CHANGES })) {
  test(`${name} is recorded with actor, address and target, in the commit of the change, and agrees with the new state`, async () => {
    await using given = await openForChanges()
    const { app } = given
    const auditor = app.client({ token: await userToken(app, 'auditor@example.com', 'admin') })
    const run = await prepare(given)
    const before = (await auditor.listActions({ limit: 100 })).data
    const stop = await dropWrites(app, 'insert', 'agent_actions')
    await assert.rejects(run(), { code: 'store_not_ready' })
    await stop()
    const again = isUsedUp ? await prepare(given) : run
    const target = await again()
    const after = (await auditor.listActions({ limit: 100 })).data
    const done = after.slice(0, after.length - before.length).toReversed()
    assert.deepEqual(
      done.map(({ action, actor, target, ip, via }) => [
        action,
        [actor.kind, actor.id, actor.role],
        target,
        ip,
        via,
      ]),
      actions.map((action) => [action, by, target, HERE, 'rest']),
    )
    for (const entry of done) {
      const readBack = entry.action && READ_BACK[entry.action]
      assert(readBack, `nothing is read back after ${entry.action}`)
      await readBack({ given, auditor, entry, target })
    }
  })
}

test('every changing call of an agent is logged with the agent, whether it succeeds or not', async () => {
  await using given = await openForChanges()
  const { app, agent, ann, id } = given
  for (const name of WITH_KEY ?? []) {
    const { method, path } = ROUTES[name]
    const headers = ['X-API-Key', agent.apiKey]
    app.clock.advance(1_000)
    await sendRaw(app.url, `${method} ${path}`, { headers, json: {} })
    const entries = (await ann.agentAudit({ id, limit: 2 })).data
    const request = entries.find(({ action }) => action === null)
    assert.deepEqual(
      [request?.endpoint, request?.actor, request?.ip],
      [`${method} ${path}`, { kind: 'agent', id, role: null, session: null, key: null }, HERE],
    )
  }
  const [last] = (await ann.agentAudit({ id, limit: 1 })).data
  assert.deepEqual([last?.action, last?.actor.kind], ['revoke-self', 'agent'])
})

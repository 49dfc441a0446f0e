import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { openSlowProxy } from '../scale/support/slow-proxy.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { openTestApp } from '../support/test-app.ts'
import { postgresVariables } from '../support/test-store.ts'

const ANN = 'ann@example.com'
/** Statement that only the transaction of an action has, not the admission before it. */
const RECORDED = 'insert into "agent_actions"'

/** The service behind a proxy that can drop answers of Postgres, with an agent and its owner's token. */
async function openBehindProxy() {
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await migratedDatabase())
  const proxy = opened.use(await openSlowProxy(database.url))
  const app = opened.use(await openTestApp({ env: postgresVariables(proxy.url) }))
  const agent = await registerAgent(app, { email: ANN })
  const token = await signIn(app, ANN)
  const resources = opened.move()
  return { app, proxy, agent, token, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

async function countRotations(owner: Client, id: string): Promise<number> {
  const { data } = await owner.agentAudit({ id })
  return data.filter(({ action }) => action === 'rotate').length
}

test('503: a rotation whose commit was not acknowledged is not retried, and the error says how to check it', async () => {
  await using opened = await openBehindProxy()
  const { app, proxy, agent, token } = opened
  const ann = app.client({ token, retries: 2 })
  proxy.lose('COMMIT', RECORDED)
  await assert.rejects(ann.rotateKey({ id: agent.id, gracePeriodSeconds: 3_600 }), {
    code: 'store_not_ready',
    status: 503,
    retryable: false,
    message: /It is not known whether it was done\. GET \/api\/v1\/agents\/\{id\} shows/,
    next: { method: 'GET', path: '/api/v1/agents' },
  })
  assert.equal(await countRotations(ann, agent.id), 1)
  await app.client({ apiKey: agent.apiKey }).metadata()
})

test('200: a rotation with an idempotency key is done once when its commit was not acknowledged and it is retried', async () => {
  await using opened = await openBehindProxy()
  const { app, proxy, agent, token } = opened
  const ann = app.client({ token, retries: 2 })
  proxy.lose('COMMIT', RECORDED)
  const { data } = await ann.rotateKey({ id: agent.id }, { idempotencyKey: 'one' })
  assert.equal(data.apiKey, `${data.keyPrefix}…`)
  assert.equal(await countRotations(ann, agent.id), 1)
})

test('200: a call that is safe to repeat is retried after a commit that was not acknowledged', async () => {
  await using opened = await openBehindProxy()
  const { app, proxy, agent, token } = opened
  const ann = app.client({ token, retries: 2 })
  proxy.lose('COMMIT', RECORDED)
  assert.equal((await ann.revokeAgent({ id: agent.id })).data.status, 'revoked')
})

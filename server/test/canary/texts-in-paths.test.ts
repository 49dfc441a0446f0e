import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EndpointName, isEndpoint, ROUTES } from '@stakewright/contract/routes'
import { MINUTE_MS } from '../../src/durations.ts'
import { sendRaw } from '../support/raw-request.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'
import { placesOf, readFolder, recordLog } from './everything-written.ts'

const ANN = 'ann@example.com'
/** In the forms of a long sign-in code, an address and a password, and almost in that of an id. */
const TEXTS = [
  '2X10R-KV9SQ-B7F0H-B0D2F',
  'somebody@example.net',
  'correct-horse-battery',
  'agt_correct-horse',
  'key_0000000000000000000000',
  `agt_${'0'.repeat(22)} hunter2`,
]
const UNKNOWN = `agt_${'0'.repeat(22)}`

/** Valid bodies, so that the calls get as far as looking for what the path names. */
const BODIES: Partial<Record<EndpointName, object>> = {
  createKey: { name: 'x' },
  decideApproval: { decision: 'approve' },
  rotateKey: {},
  updateAgent: { status: 'suspended' },
  writePolicy: { rules: [] },
}

const ENDPOINTS = Object.keys(ROUTES)
  .filter(isEndpoint)
  .filter((name) => ROUTES[name].path.includes('{'))

test('no text that is sent in place of an id in a path is written anywhere, and ids are in the log', async () => {
  const log = recordLog()
  await using app = await openTestApp({
    logger: log.logger,
    env: { LIMIT_IP_RPM: '10000', ADMIN_EMAILS: ANN },
  })
  const { id, apiKey } = await registerAgent(app, { email: ANN })
  const token = await signIn(app, ANN)
  const call = async (name: EndpointName, text: string) => {
    const { method, path, auth } = ROUTES[name]
    const target = path.replaceAll(/\{\w+\}/g, encodeURIComponent(text))
    const headers = auth === 'agent-key' ? ['X-API-Key', apiKey] : ['Authorization', `Bearer ${token}`]
    const json = BODIES[name]
    return (await sendRaw(app.url, `${method} ${target}`, { headers, ...(json && { json }) })).status
  }
  for (const text of TEXTS) {
    // Not every call at once, because of the limit of a user per minute.
    app.clock.advance(MINUTE_MS)
    for (const name of ENDPOINTS) {
      const status = await call(name, text)
      assert([400, 403, 404].includes(status), `${name} ${text}: ${status}`)
    }
  }
  const written = [...(await readFolder(app.folder)), log.written()]
  for (const text of TEXTS) assert.deepEqual(placesOf(text, written), [], text)
  assert.equal(await call('rotateKey', UNKNOWN), 404)
  const user = app.client({ token })
  const named = (await user.createKey({ id, name: 'x' })).data
  await user.revokeKey({ id, keyId: named.id })
  for (const fields of [`"agentId":"${UNKNOWN}"`, `"agentId":"${id}","keyId":"${named.id}"`])
    assert.deepEqual(placesOf(fields, [log.written()]), ['log'], fields)
})

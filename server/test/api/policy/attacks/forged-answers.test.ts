import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { ME, TEN } from '../../../support/holdings.ts'
import { registerAgent, signIn } from '../../../support/registered-agent.ts'
import { silentLogger } from '../../../support/silent-logger.ts'
import { openTestApp } from '../../../support/test-app.ts'
import { askStore } from '../../../support/test-store.ts'

const ANN = 'ann@example.com'
const FIRST = { idempotencyKey: 'first' }
const SECOND = { idempotencyKey: 'second' }
const OUTSIDE = { code: 'forbidden', message: /The stored answer .* was changed outside of the service/ }
const LOGGED = /a stored answer was changed outside the service/

async function openWithAgent() {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (text) => void errors.push(text) }
  const app = await openTestApp({ logger })
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  return { app, agent, ann, errors, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** Changes of stored answers by an attacker who can write the database, but lacks the pepper. */
const forgeries = (table: string): Readonly<Record<string, string>> => {
  const other = `(select answer from ${table} as other where other.digest <> ${table}.digest)`
  return {
    'the answer of another request': `update ${table} set answer = ${other}`,
    'another answer': `update ${table} set answer = 'q1YqUbIyqgUA'`,
    'no seal': `update ${table} set request_digest = substr(request_digest, 1, 64)`,
  }
}

for (const [what, statement] of Object.entries(forgeries('kept_builds')))
  test(`403: a repeated build whose record was given ${what} in the database gets nothing to sign`, async () => {
    await using opened = await openWithAgent()
    const { app, agent, errors } = opened
    const key = app.client({ apiKey: agent.apiKey })
    const validatorId = (await key.validators()).data.find(({ status }) => status === 'active')?.id ?? ''
    const build = (amount: string, once: typeof FIRST) =>
      key.buildStake({ validatorId, amount, sender: ME }, once)
    const first = await build(TEN, FIRST)
    await build('20000000000', SECOND)
    assert.deepEqual(await build(TEN, FIRST), first)
    await askStore(app.folder, statement)
    await assert.rejects(build(TEN, FIRST), OUTSIDE)
    assert.match(errors.join(), LOGGED)
  })

for (const [what, statement] of Object.entries(forgeries('done_requests')))
  test(`403: a repeated registration whose record was given ${what} in the database gets no stored answer`, async () => {
    await using opened = await openWithAgent()
    const { app, ann, errors } = opened
    await ann.registerAgent({ agentName: 'one' }, FIRST)
    await ann.registerAgent({ agentName: 'two' }, SECOND)
    await askStore(app.folder, statement)
    await assert.rejects(ann.registerAgent({ agentName: 'one' }, FIRST), OUTSIDE)
    assert.match(errors.join(), LOGGED)
    assert.equal((await ann.listAgents()).data.length, 3, 'and nothing is done again')
  })

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAuditOf } from '../../limits/read-audit.ts'
import { connectMcp } from '../../mcp/mcp-client.ts'
import { userToken } from '../../support/admitted-agent.ts'
import { TEN } from '../../support/holdings.ts'
import { changeStore } from '../../support/test-store.ts'
import { approvalOf, openWithApprovals } from '../policy/with-approvals.ts'

const TWENTY = '20000000000'

/** An agent that may stake up to 10, and above 5 only with an approval. */
async function openLimited() {
  const opened = await openWithApprovals([{ rule: 'maxPerTx', amount: TEN }])
  const { app, agent, ann } = opened
  const admin = app.client({ token: await userToken(app, 'root@example.com', 'admin') })
  const builds = async () => {
    const { data } = await ann.agentAudit({ id: agent.id, limit: 100 })
    return data.filter(({ endpoint }) => /tx\/|build/.test(endpoint)).toReversed()
  }
  const reason = async () => (await admin.verifyAudit()).data.reason
  const dispose = () => opened[Symbol.asyncDispose]()
  return { ...opened, builds, reason, [Symbol.asyncDispose]: dispose }
}

test('the log has the amount of each build, the reason of a refusal, and the approval', async () => {
  await using opened = await openLimited()
  const { app, key, wish, stake, decide, builds, reason } = opened
  const next = () => app.clock.advance(1_000)
  await assert.rejects(key.buildStake({ ...wish, amount: TWENTY }), { code: 'forbidden' })
  next()
  const { approvalId } = await approvalOf(stake())
  next()
  await decide(approvalId, 'approve')
  next()
  await stake(approvalId)
  next()
  await assert.rejects(stake(approvalId), { code: 'forbidden' })
  const [refused, held, built, repeated] = await builds()
  assert.deepEqual(
    [refused?.status, refused?.build, refused?.approvalId],
    [
      403,
      {
        amount: TWENTY,
        refusal: {
          code: 'forbidden',
          message: 'The policy of the agent does not allow it: it breaks maxPerTx.',
          broken: [{ rule: 'maxPerTx', limit: TEN, actual: TWENTY, clearsAt: null }],
        },
      },
      null,
    ],
  )
  const plain = { amount: TEN, refusal: null }
  assert.deepEqual([held?.status, held?.build, held?.approvalId], [202, plain, approvalId])
  assert.deepEqual([built?.status, built?.build, built?.approvalId], [200, plain, approvalId])
  assert.deepEqual([repeated?.status, repeated?.approvalId], [403, approvalId])
  assert.match(`${repeated?.build?.refusal?.message}`, /^The approval was used already/)
  assert.equal(await reason(), null)
})

test('an action that decides an approval names it', async () => {
  await using opened = await openLimited()
  const { agent, ann, stake, decide } = opened
  const { approvalId } = await approvalOf(stake())
  await decide(approvalId, 'refuse')
  const { data } = await ann.agentAudit({ id: agent.id })
  assert.deepEqual(
    data
      .filter(({ action }) => action !== null)
      .map(({ action, approvalId: id }) => [action, id])
      .slice(0, 2),
    [
      ['refuse-transaction', approvalId],
      ['set-policy', null],
    ],
  )
})

test('a build that is refused before it is planned is logged with the reason, too, in the words of the API', async () => {
  await using opened = await openLimited()
  const { app, agent, ann, key, wish, builds } = opened
  const { data: reader } = await ann.createKey({ id: agent.id, name: 'reader', scopes: ['read'] })
  await assert.rejects(app.client({ apiKey: reader.apiKey }).buildStake(wish), { code: 'forbidden' })
  app.clock.advance(1_000)
  await assert.rejects(key.buildStake({ ...wish, validatorId: `0x${'e'.repeat(64)}` }), {
    code: 'invalid_input',
  })
  app.clock.advance(1_000)
  await assert.rejects(key.buildStake({ ...wish, amount: 'canary' }), { code: 'invalid_input' })
  const logged = await builds()
  // A build that is refused before its amount is read is logged without one.
  assert.deepEqual(
    logged.map(({ build }) => build?.amount),
    [null, TEN, null],
  )
  const refusals = logged.map(({ build }) => build?.refusal)
  assert.deepEqual(
    refusals.map((refusal) => [refusal?.code, refusal?.broken]),
    [
      ['forbidden', []],
      ['invalid_input', []],
      ['invalid_input', []],
    ],
  )
  assert.match(`${refusals[0]?.message}`, /needs build/)
  for (const refusal of refusals) assert.doesNotMatch(`${refusal?.message}`, /canary|\{\{/)
})

test('a build over MCP is logged like one over REST', async () => {
  await using opened = await openLimited()
  const { app, agent, wish, builds } = opened
  await using mcp = await connectMcp(app.url, '2025-11-25')
  const build = (amount: string) =>
    mcp.client.callTool({ name: 'build_stake', arguments: { ...wish, amount, apiKey: agent.apiKey } })
  await build(TWENTY)
  app.clock.advance(1_000)
  await build(TEN)
  const logged = await builds()
  assert.deepEqual(
    logged.map(({ via, status, build: one }) => [via, status, one?.amount, one?.refusal?.broken[0]?.rule]),
    [
      ['mcp', 403, TWENTY, 'maxPerTx'],
      ['mcp', 202, TEN, undefined],
    ],
  )
  assert.match(`${logged[1]?.approvalId}`, /^apr_/)
})

test('the note of a build is sealed, and requests that are no builds have none', async () => {
  await using opened = await openLimited()
  const { app, key, wish, builds, reason } = opened
  await key.metadata()
  await assert.rejects(key.buildStake({ ...wish, amount: TWENTY }))
  assert.equal((await builds()).at(-1)?.build?.amount, TWENTY)
  const { admitted, outcomes } = await readAuditOf(app.folder)
  const withNote = outcomes.filter((outcome) => outcome.length > 4).map(([ticket]) => ticket)
  assert.deepEqual(
    admitted.filter(([ticket]) => withNote.includes(ticket)).map(([, , , endpoint]) => endpoint),
    ['buildStake'],
  )
  assert.equal(await reason(), null)
  await changeStore(app.folder, `update audit_batches set body = replace(body, '"a":"${TWENTY}"', '"a":"1"')`)
  assert.match(`${await reason()}`, /was changed, or is not in its place/)
})

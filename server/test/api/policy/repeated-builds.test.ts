import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Input, StakewrightError } from '@stakewright/client'
import { DAY_MS } from '../../../src/durations.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestAppOptions } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const TWENTY = '20000000000'
const ONCE = { idempotencyKey: 'order-7' }
const windowOf = (amount: string): Input<'writePolicy'>['rules'] => [
  { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
  { rule: 'maxPerWindow', amount, window: 'day' },
]
const WINDOW = windowOf(TWENTY)
const WIDE = windowOf('40000000000')

/** An agent whose window has room for two stakes of ten; without rules it has no policy. */
async function openWithAgent(rules = WINDOW, options: TestAppOptions = {}) {
  const app = await openTestApp(options)
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  if (rules.length > 0) await ann.writePolicy({ id: agent.id, rules })
  const stake = { validatorId, amount: TEN, sender: ME }
  return { app, agent, ann, key, stake, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const full = (call: Promise<unknown>) =>
  assert.rejects(
    call,
    (error) => error instanceof StakewrightError && error.details[0]?.rule === 'maxPerWindow',
  )

test('200: a repeated build is the same transaction, and counts once', async () => {
  await using opened = await openWithAgent()
  const { app, key, stake } = opened
  const first = await key.buildStake(stake, ONCE)
  assert.equal(key.last?.headers.get('idempotent-replayed'), null)
  app.clock.advance(1_000)
  for (let repeat = 0; repeat < 3; repeat += 1) {
    assert.deepEqual(await key.buildStake(stake, ONCE), first)
    assert.equal(key.last?.headers.get('idempotent-replayed'), 'true')
  }
  const second = await key.buildStake(stake)
  assert.notEqual(second.intentId, first.intentId)
  await full(key.buildStake(stake))
  assert.deepEqual(await key.buildStake(stake, ONCE), first, 'also when the window is full')
})

test('403: a repeat is refused while the policy is paused, expired or out of hours, and is the same build afterwards', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, key, stake } = opened
  const first = await key.buildStake(stake, ONCE)
  const now = new Date(app.clock.now()).toISOString()
  const closing = [
    { rule: 'paused' },
    { rule: 'expires', at: now },
    { rule: 'hours', days: ['sun'] },
  ] as const
  for (const [at, rule] of closing.entries()) {
    await ann.writePolicy({ id: agent.id, rules: [...WINDOW, rule], revision: at + 1 })
    await assert.rejects(key.buildStake(stake, ONCE), { code: 'forbidden', message: new RegExp(rule.rule) })
  }
  // The other rules were checked when it was built.
  await ann.writePolicy({ id: agent.id, rules: [], revision: closing.length + 1 })
  assert.deepEqual(await key.buildStake(stake, ONCE), first)
})

test('400: an expired build is not returned again, with a policy and without', async () => {
  for (const rules of [[], WINDOW]) {
    await using opened = await openWithAgent(rules)
    const { app, key, stake } = opened
    const { expiresAt } = await key.buildStake(stake, ONCE)
    app.clock.advance(Date.parse(expiresAt) - app.clock.now() - 1)
    await app.runJob('watch-network')
    assert.equal((await key.buildStake(stake, ONCE)).expiresAt, expiresAt)
    app.clock.advance(1)
    await assert.rejects(key.buildStake(stake, ONCE), {
      code: 'invalid_input',
      message: `\`Idempotency-Key\` names a transaction that expired at ${expiresAt}. Build it with another key, unless positions show that it was executed.`,
    })
    assert((await key.buildStake(stake, { idempotencyKey: 'order-8' })).expiresAt > expiresAt)
  }
})

test('400: a build of an epoch that is over is not returned again', async () => {
  await using opened = await openWithAgent(WIDE)
  const { key, stake } = opened
  const { epoch } = await key.buildStake(stake, ONCE)
  await key.sandboxAdvance({ epochs: 1 })
  await assert.rejects(key.buildStake(stake, ONCE), {
    code: 'invalid_input',
    message: `\`Idempotency-Key\` names a transaction of epoch ${epoch}, and it is epoch ${epoch + 1} now. Build it with another key, unless positions show that it was executed.`,
  })
  assert.equal((await key.buildStake(stake, { idempotencyKey: 'order-8' })).epoch, epoch + 1)
})

test('200: every endpoint that builds knows its repeats, with a policy and without', async () => {
  for (const rules of [[], WIDE]) {
    await using opened = await openWithAgent(rules)
    const { app, key, stake } = opened
    const built = await key.buildStake(stake, ONCE)
    assert.equal((await key.sandboxExecute({ sender: ME, commands: built.commands })).status, 'done')
    const [position] = (await key.positions({ owner: ME })).positions
    const token = { stakedTokenId: position?.stakedTokenId ?? '', sender: ME }
    const items = [{ action: 'unstake', stakedTokenId: token.stakedTokenId }] as const
    const calls = [
      () => key.buildUnstake(token, ONCE),
      () => key.buildWithdraw(token, ONCE),
      () => key.buildBatch({ items, sender: ME }, ONCE),
    ]
    for (const call of calls) {
      const first = await call()
      app.clock.advance(1_000)
      assert.deepEqual(await call(), first)
    }
  }
})

test('200: of six simultaneous requests one builds, and the others get the same build', async () => {
  for (const rules of [[], WINDOW]) {
    await using opened = await openWithAgent(rules)
    const { key, stake } = opened
    // The window has room for one build: a second one would be refused.
    const whole = { ...stake, amount: TWENTY }
    const ids = await Promise.all(Array.from({ length: 6 }, () => key.buildStake(whole, ONCE)))
    assert.equal(new Set(ids.map(({ intentSignature }) => intentSignature.value)).size, 1)
    if (rules.length > 0) await full(key.buildStake(stake))
  }
})

test('400: the same idempotency key with other input is refused, and reserves nothing', async () => {
  await using opened = await openWithAgent()
  const { key, stake } = opened
  await key.buildStake(stake, ONCE)
  const { sender: _, ...unsent } = stake
  for (const other of [{ ...stake, amount: TWENTY }, unsent]) {
    const refused = { code: 'invalid_input', message: /other input/ }
    await assert.rejects(key.buildStake(other, ONCE), refused)
  }
  await assert.rejects(key.buildStake(stake, { idempotencyKey: 'a b' }), { code: 'invalid_input' })
  await key.buildStake(stake)
})

test('200: the order of the fields does not make another input', async () => {
  await using opened = await openWithAgent([])
  const { app, agent, stake } = opened
  const { validatorId, amount } = stake
  const send = (json: object) =>
    sendRaw(app.url, 'POST /api/v1/staking/agent/tx/batch', {
      json,
      headers: ['X-API-Key', agent.apiKey, 'Idempotency-Key', 'order-7'],
    })
  const first = await send({ items: [{ action: 'stake', validatorId, amount }], sender: ME })
  app.clock.advance(1_000)
  const again = await send({ sender: ME, items: [{ amount, validatorId, action: 'stake' }] })
  assert.deepEqual([first.status, again.status], [200, 200])
  assert.equal(again.text, first.text)
})

test('200: idempotency keys are separate for each agent and endpoint, and forgotten after 24 hours', async () => {
  await using opened = await openWithAgent([])
  const { app, ann, key, stake } = opened
  const first = await key.buildStake(stake, ONCE)
  app.clock.advance(1)
  const { data: other } = await ann.registerAgent({ agentName: 'other' })
  const others = await app.client({ apiKey: other.apiKey }).buildStake(stake, ONCE)
  assert.notEqual(others.intentId, first.intentId)
  const { validatorId, amount } = stake
  await key.buildBatch({ items: [{ action: 'stake', validatorId, amount }], sender: ME }, ONCE)
  app.clock.advance(DAY_MS - 2)
  await app.runJob('watch-network')
  await app.runJob('drop-old-records')
  await assert.rejects(key.buildStake(stake, ONCE), { message: /that expired at/ })
  app.clock.advance(1)
  assert.notEqual((await key.buildStake(stake, ONCE)).intentId, first.intentId)
})

test('200: a repeat after a restart gets the same build', async () => {
  await using first = await openWithAgent()
  const { app, agent, key, stake } = first
  const built = await key.buildStake({ ...stake, amount: TWENTY }, ONCE)
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock })
  const later = again.client({ apiKey: agent.apiKey })
  assert.deepEqual(await later.buildStake({ ...stake, amount: TWENTY }, ONCE), built)
})

test('400: a released build is not returned again for its idempotency key', async () => {
  await using opened = await openWithAgent()
  const { app, key, stake } = opened
  const { intentId } = await key.buildStake(stake, ONCE)
  await key.releaseReservation({ intentId })
  await assert.rejects(key.buildStake(stake, ONCE), { code: 'invalid_input', message: /was released/ })
  app.clock.advance(1)
  await key.buildStake(stake, { idempotencyKey: 'order-8' })
})

test('a refused build is not remembered: its idempotency key can be used again', async () => {
  await using opened = await openWithAgent()
  const { key, stake } = opened
  const { intentId } = await key.buildStake({ ...stake, amount: TWENTY })
  await full(key.buildStake(stake, ONCE))
  await key.releaseReservation({ intentId })
  await key.buildStake(stake, ONCE)
})

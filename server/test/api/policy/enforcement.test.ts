import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { DAY_MS, MINUTE_MS } from '../../../src/durations.ts'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestAppOptions } from '../../support/test-app.ts'
import { testClock } from '../../support/test-clock.ts'
import { brokenRules } from '../refused.ts'

type Rules = Input<'writePolicy'>['rules']

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const OTHER = `0x${'b2'.repeat(32)}`

async function openWithAgent(options?: TestAppOptions) {
  const app = await openTestApp(options)
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const { data } = await app.client().sandboxKey({ agentName: 'without a policy' })
  const free = app.client({ apiKey: data.apiKey })
  const key = app.client({ apiKey: agent.apiKey })
  const { data: listed } = await key.validators()
  const active = listed.filter(({ status }) => status === 'active')
  let revision = 0
  const setRules = async (...rules: Rules) => {
    await ann.writePolicy({ id: agent.id, rules, revision })
    revision += 1
  }
  return {
    app,
    agent,
    ann,
    key,
    free,
    active,
    setRules,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

test('403: with a policy no endpoint builds what no rule allows; without a policy all of them build', async () => {
  await using opened = await openWithAgent()
  const { key, free, active, setRules } = opened
  const validatorId = active[0]?.id ?? ''
  const { stakedTokenId } = await stakeInSandbox(free, validatorId)
  const item = { action: 'stake', validatorId, amount: TEN } as const
  await key.buildStake({ validatorId, amount: TEN })
  await setRules()
  assert.deepEqual(await brokenRules(key.buildStake({ validatorId, amount: TEN })), ['actions'])
  assert.deepEqual(await brokenRules(key.buildUnstake({ stakedTokenId })), ['actions'])
  assert.deepEqual(await brokenRules(key.buildWithdraw({ stakedTokenId })), ['actions'])
  assert.deepEqual(await brokenRules(key.buildBatch({ items: [item] })), ['actions'])
  await free.buildStake({ validatorId, amount: TEN })
  await setRules({ rule: 'actions', allow: ['unstake'] })
  // The token is not active yet, so that unstaking pays it out: the rule sees a withdrawal.
  assert.deepEqual(await brokenRules(key.buildUnstake({ stakedTokenId })), ['actions'])
  await setRules(ALL)
  await key.buildBatch({ items: [item] })
})

test('403: all broken rules are listed, and simulating says the same without building', async () => {
  await using opened = await openWithAgent()
  const { app, key, active, setRules } = opened
  const validatorId = active[0]?.id ?? ''
  const rules: Rules = [
    ALL,
    { rule: 'networks', allow: ['sui'] },
    { rule: 'validators', deny: [validatorId] },
    { rule: 'maxPerWindow', amount: '1', window: 'hour' },
    { rule: 'maxPerTx', amount: '1' },
    { rule: 'maxPerWindow', amount: '1', window: 'day' },
    { rule: 'maxShare', share: 0.5 },
    { rule: 'minScore', score: 100 },
    { rule: 'maxCommission', commission: 0 },
    { rule: 'minValidators', validators: 2 },
    { rule: 'hours', days: ['sun'] },
    { rule: 'senders', allow: [OTHER] },
    { rule: 'recipients', allow: [OTHER] },
    { rule: 'paused' },
    { rule: 'expires', at: new Date(app.clock.now()).toISOString() },
  ]
  await setRules(...rules)
  const stake = { validatorId, amount: TEN, sender: ME }
  const broken = await brokenRules(key.buildStake(stake))
  const expected = rules
    .map(({ rule }) => rule)
    .filter((rule) => !['actions', 'minValidators'].includes(rule))
  assert.deepEqual(broken, expected, 'in the order of the policy')
  const { sender, ...item } = stake
  const simulated = await key.simulatePolicy({ items: [{ action: 'stake', ...item }], sender })
  assert.deepEqual(
    simulated.broken.map(({ rule }) => rule),
    expected,
  )
  assert.deepEqual([simulated.allowed, simulated.revision], [false, 1])
  const hours = simulated.broken.find(({ rule }) => rule === 'hours')
  assert.equal(hours?.clearsAt, null, 'the policy has expired')
  await setRules(...rules.filter(({ rule }) => rule !== 'expires'))
  const later = await key.simulatePolicy({ items: [{ action: 'stake', ...item }], sender })
  assert.equal(later.broken.find(({ rule }) => rule === 'hours')?.clearsAt, '2026-06-21T00:00:00.000Z')
})

/** A Monday at this time. No epoch ends during the test. */
const openAt = (time: string) =>
  openWithAgent({
    clock: testClock(Date.parse(`2026-06-15T${time}Z`)),
    env: { SANDBOX_EPOCH_MS: String(30 * DAY_MS) },
  })

test('200: what is built may be signed as long as `hours` and `expires` allow it, and no longer', async () => {
  await using opened = await openAt('17:55:00')
  const { app, key, active, setRules } = opened
  const stake = { validatorId: active[0]?.id ?? '', amount: TEN, sender: ME }
  const window = { rule: 'maxPerWindow', amount: '1000000000000', window: 'day' } as const
  const cases: readonly (readonly [Rules, string])[] = [
    [[], '18:05:00'],
    [[{ rule: 'hours', from: 8, to: 18 }], '18:00:00'],
    [[{ rule: 'hours', from: 8, to: 18 }, window], '18:00:00'],
    [[{ rule: 'hours', from: 8, to: 19 }], '18:05:00'],
    [[{ rule: 'expires', at: '2026-06-15T17:57:00.000Z' }], '17:57:00'],
    [
      [
        { rule: 'hours', to: 18 },
        { rule: 'expires', at: '2026-06-15T18:01:00.000Z' },
      ],
      '18:00:00',
    ],
  ]
  for (const [rules, time] of cases) {
    await setRules(ALL, ...rules)
    const { expiresAt, intent, warnings } = await key.buildStake(stake)
    assert.equal(expiresAt, `2026-06-15T${time}.000Z`, JSON.stringify(rules))
    assert.equal(intent.expiresAt, expiresAt)
    assert.deepEqual(warnings, [])
  }
  app.clock.advance(4.5 * MINUTE_MS)
  await app.runJob('watch-network')
  const { sender, ...item } = stake
  const batch = await key.buildBatch({ items: [{ action: 'stake', ...item }], sender })
  const { expiresAt, warnings } = await key.buildStake(stake)
  assert.equal(expiresAt, '2026-06-15T18:00:00.000Z')
  assert.deepEqual([batch.expiresAt, batch.intent.expiresAt], [expiresAt, expiresAt])
  assert.deepEqual(
    warnings.map(({ rule }) => rule),
    ['expires_soon'],
  )
  assert.match(warnings[0]?.message ?? '', /the policy of this agent stops allowing it/)
  app.clock.set(Date.parse(expiresAt))
  assert.deepEqual(await brokenRules(key.buildStake(stake)), ['hours'])
})

test('200: hours of whole days end with the last of these days', async () => {
  await using opened = await openAt('23:55:00')
  const { key, active, setRules } = opened
  const stake = { validatorId: active[0]?.id ?? '', amount: TEN, sender: ME }
  await setRules(ALL, { rule: 'hours', days: ['mon'] })
  assert.equal((await key.buildStake(stake)).expiresAt, '2026-06-16T00:00:00.000Z')
  await setRules(ALL, { rule: 'hours', days: ['mon', 'tue'] })
  assert.equal((await key.buildStake(stake)).expiresAt, '2026-06-16T00:05:00.000Z')
})

test('200: hours of a replaced policy limit a build only if the policy is still in force when they end', async () => {
  await using opened = await openAt('17:55:00')
  const { agent, ann, key, active } = opened
  const stake = { validatorId: active[0]?.id ?? '', amount: TEN, sender: ME }
  const hours = { rule: 'hours', from: 8, to: 18 } as const
  let revision = 0
  const write = async (loosenAfterSeconds: number, rules: Rules) => {
    await ann.writePolicy({ id: agent.id, rules, loosenAfterSeconds, revision })
    revision += 1
  }
  for (const [seconds, time] of [
    [60, '18:05:00'],
    [600, '18:00:00'],
  ] as const) {
    await write(seconds, [ALL, hours])
    await write(0, [ALL])
    assert.equal((await key.buildStake(stake)).expiresAt, `2026-06-15T${time}.000Z`)
  }
})

test('403: a refusal that cannot list all broken limits says how many there are, and names every rule', async () => {
  await using opened = await openWithAgent()
  const { key, active, setRules } = opened
  const validatorId = active[0]?.id ?? ''
  await setRules(
    ALL,
    { rule: 'validators', deny: [validatorId] },
    { rule: 'minScore', score: 100 },
    { rule: 'maxCommission', commission: 0 },
    { rule: 'maxPerTx', amount: '1' },
  )
  const items = Array.from({ length: 20 }, () => ({ action: 'stake', validatorId, amount: TEN }) as const)
  const broken = await brokenRules(key.buildBatch({ items }))
  assert.equal(broken.length, 50)
  assert.deepEqual(new Set(broken), new Set(['validators', 'minScore', 'maxCommission', 'maxPerTx']))
  await assert.rejects(key.buildBatch({ items }), { message: /50 of 61 limits/ })
  const simulated = (await key.simulatePolicy({ items })).broken.map(({ rule }) => rule)
  assert.equal(simulated.length, 61)
  const inOrder = [...broken]
  for (const rule of simulated) if (rule === inOrder[0]) inOrder.shift()
  assert.deepEqual(inOrder, [], 'in the same order')
})

test('200: shares and the number of validators are checked with the sender’s stakes', async () => {
  await using opened = await openWithAgent()
  const { key, free, active, setRules } = opened
  const [a = '', b = '', c = ''] = active.map(({ id }) => id)
  await setRules(ALL, { rule: 'maxShare', share: 0.5 }, { rule: 'minValidators', validators: 2 })
  const stake = (validatorId: string, amount = TEN) => ({ action: 'stake', validatorId, amount }) as const
  assert.deepEqual(await brokenRules(key.buildBatch({ items: [stake(a), stake(b)] })), [
    'maxShare',
    'minValidators',
  ])
  assert.deepEqual(await brokenRules(key.buildBatch({ items: [stake(a)], sender: ME })), ['maxShare'])
  await key.buildBatch({ items: [stake(a), stake(b)], sender: ME })
  const held = await stakeInSandbox(free, a)
  await stakeInSandbox(free, b)
  assert.deepEqual(await brokenRules(key.buildStake({ validatorId: a, amount: TEN, sender: ME })), [
    'maxShare',
  ])
  await key.buildStake({ validatorId: c, amount: TEN, sender: ME })
  assert.deepEqual(await brokenRules(key.buildWithdraw(held)), ['minValidators'])
  await stakeInSandbox(free, c)
  await key.buildWithdraw(held)
})

test('403: a policy holds from its commit on, for every key of the agent and over every transport', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, key, active, setRules } = opened
  const validatorId = active[0]?.id ?? ''
  const { data: named } = await ann.createKey({ id: agent.id, name: 'ci', scopes: ['build'] })
  const ci = app.client({ apiKey: named.apiKey })
  await ci.buildStake({ validatorId, amount: TEN })
  await setRules(ALL, { rule: 'paused' })
  for (const client of [key, ci]) {
    assert.deepEqual(await brokenRules(client.buildStake({ validatorId, amount: TEN })), ['paused'])
  }
  const call = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': agent.apiKey,
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'build_stake', arguments: { validatorId, amount: TEN } },
    }),
  })
  assert.match(await call.text(), /paused/)
  await setRules(ALL)
  await ci.buildStake({ validatorId, amount: TEN })
})

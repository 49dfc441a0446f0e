import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Input, StakewrightError } from '@stakewright/client'
import { HOUR_MS } from '../../../src/durations.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp, type TestAppOptions } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const TWENTY = '20000000000'

async function openWithWindow(window: 'hour' | 'epoch' = 'hour', options: TestAppOptions = {}) {
  const app = await openTestApp(options)
  const agent = await registerAgent(app, { email: ANN })
  const ann = app.client({ token: await signIn(app, ANN) })
  const key = app.client({ apiKey: agent.apiKey })
  const { data } = await key.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const rules: Input<'writePolicy'>['rules'] = [ALL, { rule: 'maxPerWindow', amount: TWENTY, window }]
  await ann.writePolicy({ id: agent.id, rules })
  const stake = () => key.buildStake({ validatorId, amount: TEN, sender: ME })
  return { app, agent, ann, key, validatorId, stake, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

async function clearsAt(call: Promise<unknown>): Promise<string | null | undefined> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert(error instanceof StakewrightError && error.code === 'forbidden', String(error))
  assert.deepEqual(
    error.details.map(({ rule }) => rule),
    ['maxPerWindow'],
  )
  return error.details[0]?.clearsAt
}

test('403: of many builds at once exactly as many are built as the window has room for', async () => {
  await using opened = await openWithWindow()
  const { app, key, validatorId, stake } = opened
  const startedAt = app.clock.now()
  const answers = await Promise.allSettled(Array.from({ length: 6 }, stake))
  const built = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  assert.equal(built.length, 2)
  assert.equal(
    built.every(({ intent }) => intent.policyHash !== null),
    true,
  )
  assert.equal(await clearsAt(stake()), new Date(startedAt + HOUR_MS).toISOString())
  const items = [{ action: 'stake', validatorId, amount: TEN }] as const
  const simulated = await key.simulatePolicy({ items, sender: ME })
  assert.deepEqual([simulated.allowed, simulated.broken[0]?.rule], [false, 'maxPerWindow'])
})

test('200: what is released gives its room back, and what was carried out does not', async () => {
  await using opened = await openWithWindow()
  const { app, key, stake } = opened
  const first = await stake()
  app.clock.advance(1)
  const second = await stake()
  await clearsAt(stake())
  assert.deepEqual(await key.releaseReservation({ intentId: first.intentId }), {
    intentId: first.intentId,
    released: true,
  })
  await key.releaseReservation({ intentId: first.intentId })
  app.clock.advance(1)
  const third = await stake()
  assert.equal((await key.sandboxExecute({ sender: ME, commands: third.commands })).status, 'done')
  await assert.rejects(key.releaseReservation({ intentId: third.intentId }), {
    code: 'invalid_input',
  })
  await assert.rejects(key.releaseReservation({ intentId: 'rsv_none' }), { code: 'not_found' })
  const stranger = await app.client().sandboxKey({ agentName: 'stranger' })
  await assert.rejects(
    app.client({ apiKey: stranger.data.apiKey }).releaseReservation({ intentId: second.intentId }),
    { code: 'not_found' },
  )
  await clearsAt(stake())
})

test('200: two builds of the same thing in the same millisecond are two, and releasing one leaves the other', async () => {
  await using opened = await openWithWindow()
  const { key, stake } = opened
  const first = await stake()
  const second = await stake()
  assert.equal(first.intent.issuedAt, second.intent.issuedAt)
  assert.notEqual(first.intentId, second.intentId)
  await key.releaseReservation({ intentId: first.intentId })
  await stake()
  await clearsAt(stake())
})

test('200: a window of an epoch is new with the next one', async () => {
  await using opened = await openWithWindow('epoch')
  const { key, stake } = opened
  await stake()
  await stake()
  await clearsAt(stake())
  await key.sandboxAdvance({ epochs: 1 })
  await stake()
})

test('403: what was built before a restart counts after it', async () => {
  await using first = await openWithWindow()
  const { app, agent, validatorId, stake } = first
  await stake()
  await stake()
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock })
  const key = again.client({ apiKey: agent.apiKey })
  await clearsAt(key.buildStake({ validatorId, amount: TEN, sender: ME }))
})

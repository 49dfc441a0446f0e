import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '../../../src/durations.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { ALL, openWithApprovals } from './with-approvals.ts'

const DAY_LIMIT = { rule: 'maxPerWindow', amount: '15000000000', window: 'day' } as const
const FULL = { code: 'forbidden', message: /maxPerWindow|window/ }

/** An agent whose window has room for three stakes of five. */
async function openWithWindow() {
  const opened = await openWithApprovals()
  const { ann, agent, key, wish } = opened
  await ann.writePolicy({ id: agent.id, rules: [ALL, DAY_LIMIT], revision: 1 })
  const build = () => key.buildStake({ ...wish, amount: '5000000000' })
  const list = async () => (await ann.listReservations({ id: agent.id })).data
  const cancel = (reservationId: string) => ann.cancelReservation({ id: agent.id, reservationId })
  return { ...opened, build, list, cancel, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

test('200: the owner lists the agent’s reservations and releases one, once, recorded in the log', async () => {
  await using opened = await openWithWindow()
  const { app, ann, agent, key, wish, build, list, cancel } = opened
  const built = []
  for (let count = 0; count < 3; count += 1) {
    app.clock.advance(1_000)
    await app.runJob('watch-network')
    built.unshift(await build())
  }
  await assert.rejects(build(), FULL)
  const counted = await list()
  assert.deepEqual(
    counted.map(({ intentId, state, sender, items }) => [intentId, state, sender, items]),
    built.map(({ intentId }) => [
      intentId,
      'open',
      wish.sender,
      [{ action: 'stake', validatorId: wish.validatorId, amount: '5000000000' }],
    ]),
  )
  const [newest] = counted
  const { data } = await cancel(newest?.reservationId ?? '')
  assert.deepEqual(data, { reservationId: newest?.reservationId, status: 'released' })
  await cancel(newest?.reservationId ?? '')
  assert.equal((await list()).length, 2)
  const released = (await ann.agentAudit({ id: agent.id })).data.filter(
    ({ action }) => action === 'release-reservation',
  )
  assert.equal(released.length, 1, 'a repeat does nothing')
  assert.equal(released[0]?.endpoint, 'DELETE /api/v1/agents/{id}/reservations/{reservationId}')
  await build()
  await assert.rejects(build(), FULL)
  await key.releaseReservation({ intentId: built[1]?.intentId ?? '' })
  await build()
})

test('400: a build that the chain shows as carried out cannot be released, and goes on counting', async () => {
  await using opened = await openWithWindow()
  const { app, key, wish, build, list, cancel } = opened
  const { commands } = await build()
  await key.sandboxExecute({ sender: wish.sender, commands })
  const [first] = await list()
  await assert.rejects(cancel(first?.reservationId ?? ''), {
    code: 'invalid_input',
    message: /`reservationId` names a transaction that the chain shows as executed/,
  })
  assert.equal((await list())[0]?.state, 'carriedOut')
  await assert.rejects(cancel(first?.reservationId ?? ''), { code: 'invalid_input' })
  await app.runJob('watch-network')
  assert.equal((await list()).length, 1)
})

test('404: reservations of others are answered like missing ones; lists come in pages', async () => {
  await using opened = await openWithWindow()
  const { app, ann, agent, build, list, cancel } = opened
  await build()
  await build()
  const [newest, oldest] = await list()
  const page = await ann.listReservations({ id: agent.id, limit: 1 })
  assert.deepEqual(page.data, [newest])
  const second = await ann.listReservations({ id: agent.id, limit: 1, cursor: page.nextCursor ?? '' })
  assert.deepEqual([second.data, second.nextCursor], [[oldest], null])
  await assert.rejects(ann.listReservations({ id: agent.id, cursor: 'rsv_1' }), { code: 'invalid_input' })
  await assert.rejects(cancel('rsv_1'), { code: 'not_found' })
  const other = await registerAgent(app, { email: 'eve@example.com' })
  const eve = app.client({ token: await signIn(app, 'eve@example.com') })
  const reservationId = newest?.reservationId ?? ''
  for (const attempt of [
    () => eve.listReservations({ id: agent.id }),
    () => eve.cancelReservation({ id: agent.id, reservationId }),
    () => eve.cancelReservation({ id: other.id, reservationId }),
  ])
    await assert.rejects(attempt(), { code: 'not_found' })
  assert.equal((await list()).length, 2)
})

test('200: a build that may no longer be signed is shown as expired, and after its release is not returned to repeats', async () => {
  await using opened = await openWithWindow()
  const { app, key, wish, list, cancel } = opened
  const request = { ...wish, amount: '5000000000' }
  const first = await key.buildStake(request, { idempotencyKey: 'one' })
  assert.equal((await key.buildStake(request, { idempotencyKey: 'one' })).intentId, first.intentId)
  app.clock.set(Date.parse(first.expiresAt))
  const [expired] = await list()
  assert.equal(expired?.state, 'expired')
  await cancel(expired?.reservationId ?? '')
  app.clock.advance(MINUTE_MS)
  await app.runJob('watch-network')
  await assert.rejects(key.buildStake(request, { idempotencyKey: 'one' }), {
    code: 'invalid_input',
    message: /was released/,
  })
})

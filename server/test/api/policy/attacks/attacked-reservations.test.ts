import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { MINUTE_MS } from '../../../../src/durations.ts'
import { ADMIN } from '../../../support/builder-agent.ts'
import { ME, TEN } from '../../../support/holdings.ts'
import { sendRaw } from '../../../support/raw-request.ts'
import { registerAgent, signIn } from '../../../support/registered-agent.ts'
import { openTestApp } from '../../../support/test-app.ts'

const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const WINDOW = { rule: 'maxPerWindow', amount: '20000000000', window: 'day' } as const
const FULL = { code: 'forbidden', message: /maxPerWindow/ }
const RELEASE = 'POST /api/v1/staking/agent/tx/release'

/** Ann's agent has a window with room for two builds, and so has Eve's agent. */
async function openBoth() {
  const app = await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '5000' } })
  const own = async (email: string) => {
    const agent = await registerAgent(app, { email })
    const token = await signIn(app, email)
    const owner = app.client({ token })
    await owner.writePolicy({ id: agent.id, rules: [ALL, WINDOW] })
    return { id: agent.id, apiKey: agent.apiKey, token, owner, key: app.client({ apiKey: agent.apiKey }) }
  }
  const [ann, eve] = [await own('ann@example.com'), await own('eve@example.com')]
  const { data } = await ann.key.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const stake = { validatorId, amount: TEN, sender: ME }
  const raw = (target: string, headers: readonly string[], json?: unknown) =>
    sendRaw(app.url, target, { headers, ...(json !== undefined && { json }) })
  const reservations = async () => (await ann.owner.listReservations({ id: ann.id })).data
  return { app, ann, eve, stake, raw, reservations, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('404: builds of another agent can be neither released nor found, by key, by owner or by id', async () => {
  await using opened = await openBoth()
  const { ann, eve, stake, raw, reservations } = opened
  const { intentId } = await ann.key.buildStake(stake)
  const [{ reservationId = '' } = {}] = await reservations()
  await eve.key.buildStake(stake)
  await assert.rejects(eve.key.releaseReservation({ intentId }), { code: 'not_found' })
  const place = `/api/v1/agents/${ann.id}/reservations/${reservationId}`
  const tried = [
    raw(`DELETE ${place}`, ['Authorization', `Bearer ${eve.token}`]),
    raw(`DELETE ${place.replace(ann.id, eve.id)}`, ['Authorization', `Bearer ${eve.token}`]),
    raw(`DELETE ${place.replace(ann.id, `${eve.id}%2F..%2F${ann.id}`)}`, [
      'Authorization',
      `Bearer ${eve.token}`,
    ]),
    // An agent does not manage itself, and a key is no token.
    raw(`DELETE ${place}`, ['X-API-Key', ann.apiKey]),
    raw(`DELETE ${place}`, ['Authorization', `Bearer ${ann.apiKey}`]),
    raw(`DELETE ${place}`, []),
  ]
  assert.deepEqual(
    (await Promise.all(tried)).map(({ status }) => status),
    [404, 404, 404, 401, 401, 401],
  )
  assert.deepEqual(
    (await reservations()).map((one) => one.intentId),
    [intentId],
  )
})

test('400, 404: an id in another spelling releases nothing', async () => {
  await using opened = await openBoth()
  const { app, ann, stake, raw, reservations } = opened
  const { intentId } = await ann.key.buildStake(stake)
  const [{ reservationId = '' } = {}] = await reservations()
  const flipped = (text: string) =>
    [...text]
      .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()))
      .join('')
  const spellings = [
    intentId.toUpperCase(),
    ` ${intentId}`,
    `${intentId}\n`,
    `${intentId}\u0000`,
    `0x${intentId}`,
    intentId.slice(0, -1),
    `${intentId}%`,
    '%',
    '_'.repeat(intentId.length),
    [intentId],
    { $ne: '' },
    null,
    1,
  ]
  for (const spelling of spellings) {
    // Stays below the agent's limit of requests per minute.
    app.clock.advance(MINUTE_MS / 5)
    const { status } = await raw(RELEASE, ['X-API-Key', ann.apiKey], { intentId: spelling })
    assert([400, 404].includes(status), `${JSON.stringify(spelling)}: ${status}`)
  }
  for (const spelling of [
    flipped(reservationId),
    `${reservationId}%20`,
    `${reservationId}%00`,
    '%25',
    '_'.repeat(5),
  ]) {
    const { status } = await raw(`DELETE /api/v1/agents/${ann.id}/reservations/${spelling}`, [
      'Authorization',
      `Bearer ${ann.token}`,
    ])
    assert([400, 404].includes(status), `${spelling}: ${status}`)
  }
  assert.equal((await reservations()).length, 1)
})

test('of simultaneous releases of one build, by key and by owner, one gives its room back', async () => {
  await using opened = await openBoth()
  const { ann, stake, reservations } = opened
  const { intentId } = await ann.key.buildStake(stake)
  await ann.key.buildStake(stake)
  const reservationId = (await reservations()).find((one) => one.intentId === intentId)?.reservationId ?? ''
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, (_, count) =>
      count % 2 === 0
        ? ann.key.releaseReservation({ intentId })
        : ann.owner.cancelReservation({ id: ann.id, reservationId }),
    ),
  )
  assert(
    answers.every(({ status }) => status === 'fulfilled'),
    'a repeat is answered alike',
  )
  const recorded = (await ann.owner.agentAudit({ id: ann.id })).data
  assert(recorded.filter(({ action }) => action === 'release-reservation').length <= 1)
  const built = await Promise.allSettled(Array.from({ length: 4 }, () => ann.key.buildStake(stake)))
  assert.equal(built.filter(({ status }) => status === 'fulfilled').length, 1)
})

/** Repeats the call while a busy store refuses it. */
async function whenReady<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StakewrightError && error.code === 'store_not_ready') return whenReady(ask)
    throw error
  }
}

test('400: a build that was carried out cannot be released, even when its stake is gone again', async () => {
  await using opened = await openBoth()
  const { app, ann, stake, reservations } = opened
  const { intentId, commands } = await ann.key.buildStake(stake)
  await ann.key.sandboxExecute({ sender: ME, commands })
  const [{ reservationId = '' } = {}] = await reservations()
  const releases = () =>
    Promise.allSettled([
      ...Array.from({ length: 4 }, () => whenReady(() => ann.key.releaseReservation({ intentId }))),
      whenReady(() => ann.owner.cancelReservation({ id: ann.id, reservationId })),
    ])
  const outcomes = async () =>
    (await releases()).map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'released'))
  assert.deepEqual(await outcomes(), Array(5).fill('invalid_input'))
  app.clock.advance(MINUTE_MS)
  // Another agent of the owner takes the stake out: the chain shows nothing of it any more.
  const { data } = await ann.owner.registerAgent({ agentName: 'other' })
  const other = app.client({ apiKey: data.apiKey })
  const { positions } = await ann.key.positions({ owner: ME })
  const stakedTokenId = positions[0]?.stakedTokenId ?? ''
  const taken = await other.buildUnstake({ stakedTokenId, sender: ME })
  await other.sandboxExecute({ sender: ME, commands: taken.commands })
  assert.equal((await ann.key.positions({ owner: ME })).positions.length, 0)
  assert.deepEqual(await outcomes(), Array(5).fill('invalid_input'))
  assert.deepEqual(
    (await reservations()).map(({ state }) => state),
    ['carriedOut'],
  )
})

test('200: another agent’s idempotency key gives nothing of its request away', async () => {
  await using opened = await openBoth()
  const { ann, eve, stake, raw } = opened
  const named = ['Idempotency-Key', 'order-1']
  const build = (apiKey: string, json: unknown) =>
    raw('POST /api/v1/staking/agent/tx/stake', ['X-API-Key', apiKey, ...named], json)
  const first = JSON.parse((await build(ann.apiKey, stake)).text)
  const other = JSON.parse((await build(eve.apiKey, stake)).text)
  assert.notEqual(first.intentId, other.intentId)
  assert.equal(
    (await build(eve.apiKey, { ...stake, amount: '5000000000' })).status,
    400,
    'Eve’s own idempotency key with other input',
  )
  assert.equal(JSON.parse((await build(ann.apiKey, stake)).text).intentId, first.intentId)
  await eve.key.releaseReservation({ intentId: other.intentId })
  assert.equal(
    JSON.parse((await build(ann.apiKey, stake)).text).intentId,
    first.intentId,
    'Eve’s build was released, Ann’s was not',
  )
  for (const name of ['order-1', 'ORDER-1', 'order-1 ', '1:order-1', `${ann.id}:order-1`])
    for (let count = 0; count < 2; count += 1)
      await raw(
        'POST /api/v1/staking/agent/tx/stake',
        ['X-API-Key', eve.apiKey, 'Idempotency-Key', name],
        stake,
      )
  await ann.key.buildStake(stake)
  await assert.rejects(ann.key.buildStake(stake), FULL)
})

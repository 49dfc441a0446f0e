import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { connectMcp } from '../../mcp/mcp-client.ts'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const FORTY = '40000000000'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const OTHER = `0x${'b2'.repeat(32)}`

/** A key under these rules, and a client without a policy. */
async function openHeld(...rules: Input<'writePolicy'>['rules']) {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '1000' } }))
  const agent = await registerAgent(app, { email: ANN })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  await admin.updateAgent({ id: agent.id, rateLimits: { rpm: 1_000, rpd: 10_000 } })
  await admin.writePolicy({ id: agent.id, rules: [ALL, ...rules] })
  const free = await clientOfTier(app, 'builder')
  const { data } = await free.validators()
  const ids = data.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  const post = (path: string, json: object) =>
    sendRaw(app.url, `POST /api/v1/staking/agent/${path}`, { json, headers: ['X-API-Key', agent.apiKey] })
  const key = app.client({ apiKey: agent.apiKey })
  const resources = opened.move()
  return { app, agent, key, free, ids, post, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

test('an address is the same in every spelling: for denied validators and for allowed senders', async () => {
  const first = await openHeld()
  const [denied = '', validatorId = ''] = first.ids
  await first[Symbol.asyncDispose]()
  await using held = await openHeld(
    { rule: 'validators', deny: [denied.toUpperCase().replace('0X', '0x')] },
    { rule: 'senders', allow: [ME] },
  )
  const spellings = (id: string) => [
    id,
    id.toUpperCase(),
    `0x${id.slice(2).toUpperCase()}`,
    `0X${id.slice(2)}`,
  ]
  for (const id of spellings(denied))
    assert.equal((await held.post('tx/stake', { validatorId: id, amount: TEN, sender: ME })).status, 403, id)
  for (const sender of spellings(OTHER))
    assert.equal((await held.post('tx/stake', { validatorId, amount: TEN, sender })).status, 403, sender)
  for (const sender of spellings(ME))
    assert.equal((await held.post('tx/stake', { validatorId, amount: TEN, sender })).status, 200, sender)
  assert.equal((await held.post('tx/stake', { validatorId, amount: TEN })).status, 403)
})

test('the holder of a share is the same in every spelling', async () => {
  await using held = await openHeld({ rule: 'maxShare', share: 0.5 })
  const [first = '', validatorId = ''] = held.ids
  await stakeInSandbox(held.free, first)
  const amount = '2000000000'
  for (const sender of [ME, ME.toUpperCase(), `0x${ME.slice(2).toUpperCase()}`, `0X${ME.slice(2)}`])
    assert.equal((await held.post('tx/stake', { validatorId, amount, sender })).status, 200, sender)
  const refused = await held.post('tx/stake', { validatorId, amount, sender: OTHER })
  assert.equal(refused.status, 403, 'without other stake, it would be the whole')
})

test('an amount has one spelling, and items of a batch count together', async () => {
  await using held = await openHeld({ rule: 'maxPerTx', amount: TEN })
  const [a = '', b = ''] = held.ids
  const stake = (amount: unknown) => held.post('tx/stake', { validatorId: a, amount, sender: ME })
  const odd = [
    `0${TEN}`,
    `+${TEN}`,
    `${TEN}.0`,
    '1e10',
    '0x2540be400',
    ` ${TEN}`,
    Number(TEN),
    `${TEN}n`,
    '１０',
    '-1',
  ]
  for (const amount of odd) assert.equal((await stake(amount)).status, 400, String(amount))
  assert.equal((await stake('10000000001')).status, 403)
  assert.equal((await stake(TEN)).status, 200)
  const half = (validatorId: string) => ({ action: 'stake', validatorId, amount: '5000000001' })
  for (const items of [
    [half(a), half(b)],
    [half(a), half(a)],
  ])
    assert.equal((await held.post('tx/batch', { items, sender: ME })).status, 403)
})

test('REST, MCP and all endpoints that build share one window, and releasing another agent’s build frees none of it', async () => {
  await using held = await openHeld({ rule: 'maxPerWindow', amount: FORTY, window: 'day' })
  const { app, agent, key, ids } = held
  const [validatorId = ''] = ids
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const wish = { validatorId, amount: TEN, sender: ME }
  const isDone = (call: Promise<unknown>) =>
    call.then(
      () => true,
      () => false,
    )
  const calls = Array.from({ length: 4 }, () => [
    isDone(key.buildStake(wish)),
    isDone(key.buildBatch({ items: [{ action: 'stake', validatorId, amount: TEN }], sender: ME })),
    mcp.call('build_stake', { ...wish, apiKey: agent.apiKey }).then(({ isError }) => !isError),
  ]).flat()
  assert.equal((await Promise.all(calls)).filter(Boolean).length, 4)
  const own = await held.free.buildStake(wish)
  await assert.rejects(key.releaseReservation({ intentId: own.intentId }), { code: 'not_found' })
  await assert.rejects(key.buildStake(wish), { code: 'forbidden' })
})

test('a build that is released many times at once gives its room back once', async () => {
  await using held = await openHeld({ rule: 'maxPerWindow', amount: FORTY, window: 'day' })
  const { key, ids } = held
  const [validatorId = ''] = ids
  const build = () => key.buildStake({ validatorId, amount: TEN, sender: ME })
  const built = await Promise.all(Array.from({ length: 4 }, build))
  const intentId = built[0]?.intentId ?? ''
  await Promise.all(Array.from({ length: 6 }, () => key.releaseReservation({ intentId })))
  const again = await Promise.allSettled(Array.from({ length: 4 }, build))
  assert.equal(again.filter(({ status }) => status === 'fulfilled').length, 1)
  await key.releaseReservation({ intentId })
  await assert.rejects(build(), { code: 'forbidden' }, 'a second release gives nothing back')
})

test('tokens of others can be taken neither in their owner’s name nor in the agent’s', async () => {
  await using held = await openHeld({ rule: 'senders', allow: [OTHER] })
  const { free, ids, post } = held
  const [validatorId = ''] = ids
  const { stakedTokenId } = await stakeInSandbox(free, validatorId)
  for (const path of ['tx/unstake', 'tx/withdraw']) {
    assert.equal((await post(path, { stakedTokenId })).status, 403)
    assert.equal((await post(path, { stakedTokenId, sender: ME })).status, 403)
    assert.equal((await post(path, { stakedTokenId, sender: OTHER })).status, 400)
  }
  const items = [
    { action: 'unstake', stakedTokenId },
    { action: 'stake', validatorId, amount: TEN },
  ]
  assert.equal((await post('tx/batch', { items })).status, 403)
})

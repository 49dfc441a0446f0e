import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { openTestApp } from '../../support/test-app.ts'

const PATH = '/api/v1/staking/agent/backtest'
const AMOUNT = '9000000000000000'

test('200: a policy over the recorded epochs, compared with simple rules and an oracle', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const { results, partOfOracle, epochs, assumptions, epoch } = await client.backtest({
    amount: AMOUNT,
    epochs: 20,
  })
  assert.deepEqual(
    results.map(({ name }) => name),
    ['policy', 'policy_held', 'top_mean_held', 'patient', 'oracle'],
  )
  const oracle = results.find(({ name }) => name === 'oracle')
  assert(oracle && results.every(({ netApr }) => netApr > 0 && netApr <= oracle.netApr))
  assert(partOfOracle !== null && partOfOracle > 0.5 && partOfOracle <= 1)
  assert.equal(epochs.length, 20)
  // The last epoch is the newest completed one.
  assert.equal(epochs.at(-1)?.epoch, epoch - 1)
  const mean = epochs.reduce((sum, { policy }) => sum + policy, 0) / epochs.length
  assert(Math.abs(mean - (results[0]?.netApr ?? 0)) < 1e-4)
  assert.equal(assumptions.length, 3)
})

test('200: the assumptions say how many validators the tier hides, which only the oracle uses', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const [builder, pro] = [await clientOfTier(app, 'builder'), await clientOfTier(app, 'pro')]
  const aboutTier = ({ assumptions }: { readonly assumptions: readonly string[] }) =>
    assumptions.filter((line) => line.includes('the tier'))
  const [compared = ''] = aboutTier(await builder.allocate({ amount: AMOUNT }))
  const hidden = /sees; (\d+) more are not/.exec(compared)?.[1]
  assert(Number(hidden) > 10)
  assert.deepEqual(aboutTier(await builder.backtest({ amount: AMOUNT, epochs: 7 })), [
    `In each epoch, the policy and the simple rules choose among the 25 best validators by score, which the tier builder sees. The oracle uses all: now ${hidden} more.`,
  ])
  assert.deepEqual(aboutTier(await pro.backtest({ amount: AMOUNT, epochs: 7 })), [])
})

test('200: simultaneous equal requests get equal answers', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const ask = () => client.backtest({ amount: AMOUNT, epochs: 7 })
  const [first, second] = await Promise.all([ask(), ask()])
  assert.deepEqual(first, second)
})

test('503: an agent whose backtests fill the queue is refused more, and gives way to another agent', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const [greedy, modest] = [await clientOfTier(app, 'builder'), await clientOfTier(app, 'pro')]
  const ask = (client: typeof greedy) => client.backtest({ amount: AMOUNT, epochs: 7 })
  const asked = Array.from({ length: 20 }, () => ask(greedy))
  const ended = Promise.allSettled(asked)
  await assert.rejects(Promise.all(asked), { code: 'service_overloaded' })
  assert.equal((await ask(modest)).epochs.length, 7)
  await ended
})

test('503: many agents of one address, with a backtest each, give way to an agent of another address', async () => {
  await using app = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } })
  const from = (address: string) => ['X-Forwarded-For', address]
  const agentAt = async (address: string) => {
    const json = { agentName: 'scout' }
    const { text } = await sendRaw(app.url, 'POST /api/v1/sandbox/keys', { headers: from(address), json })
    return ['X-API-Key', String(JSON.parse(text).data.apiKey), ...from(address)]
  }
  const ask = async (headers: readonly string[], epochs: number) =>
    (await sendRaw(app.url, `POST ${PATH}`, { headers, json: { amount: AMOUNT, epochs } })).status
  const newcomer = await agentAt('2.2.2.2')
  // More than can run and wait. All are in one /64.
  const crowd = await Promise.all(Array.from({ length: 12 }, (_, at) => agentAt(`2001:db8::${at}`)))
  const asked = crowd.map((agent) => ask(agent, 30))
  const isFull = asked.map(async (status) => assert.equal(await status, 503))
  await Promise.any(isFull)
  assert.equal(await ask(newcomer, 7), 200)
  await Promise.all(asked)
})

test('200: if there are fewer epochs than asked for, the assumptions say so', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const { epochs, assumptions } = await client.backtest({ amount: AMOUNT, epochs: 90 })
  assert(epochs.length > 60 && epochs.length < 90)
  assert.match(assumptions[0] ?? '', new RegExp(`Only ${epochs.length} of 90 epochs`))
})

test('400: limits that no validator meets, unknown ids, an amount below the minimum', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const refused = (input: object, message: RegExp) =>
    assert.rejects(client.backtest({ amount: AMOUNT, epochs: 7, ...input }), {
      code: 'invalid_input',
      message,
    })
  await refused({ minScore: 100 }, /minScore/)
  await refused({ exclude: [`0x${'9'.repeat(64)}`] }, /exclude/)
  await refused({ amount: '1' }, /`amount` must be at least/)
  await refused({ epochs: 6 }, /epochs/)
  await refused({ maxShare: 0.01 }, /maxShare/)
})

test('403: free keys are told which tier they need', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'free')
  await assert.rejects(client.backtest({ amount: AMOUNT }), { code: 'forbidden', message: /builder/ })
})

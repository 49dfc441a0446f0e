import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import type { Reply } from '@stakewright/contract'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox } from '../../support/holdings.ts'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

const TOKEN = 1_000_000_000n
const tokenId = (no: number) => `0x${String(no).padStart(64, '0')}`

async function position(client: Client, pick: 'best' | 'worst', no: number, tokens = 1_000_000n) {
  const { data } = await client.validators()
  const active = data
    .filter(({ status, apy }) => status === 'active' && apy !== null)
    .toSorted((a, b) => (b.apy ?? 0) - (a.apy ?? 0))
  const validator = pick === 'best' ? active[0] : active.at(-1)
  return {
    stakedTokenId: tokenId(no),
    validatorId: validator?.id ?? '',
    principal: String(tokens * TOKEN),
  }
}

test('403: free keys are told which tier they need, before their input is checked', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'free')
  await assert.rejects(client.planRebalance({ positions: [] }), { code: 'forbidden', message: /builder/ })
  assert.equal(client.last?.rateLimit?.remaining, 9)
})

test('200: stake that earns too little moves: unstakes come before the stakes that they fund, in equal amounts', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const positions = [await position(client, 'worst', 1, 3_000_000n), await position(client, 'worst', 2)]
  const plan = await client.planRebalance({ positions })
  const { steps, summary } = plan
  assert.equal(summary.recommendation, 'move')
  assert(summary.projectedWeightedApy > summary.currentWeightedApy)
  assert(summary.breakEvenEpochs !== null && summary.breakEvenEpochs > 0)
  assert.equal(summary.estimatedEpochsToComplete, 2)
  assert.deepEqual(
    steps.map(({ order }) => order),
    steps.map((_, at) => at + 1),
  )
  const sum = (action: string) =>
    steps.reduce((total, step) => total + (step.action === action ? BigInt(step.amount) : 0n), 0n)
  assert.equal(sum('unstake'), sum('stake'))
  const firstStake = steps.findIndex(({ action }) => action === 'stake')
  assert(steps.slice(firstStake).every(({ action }) => action === 'stake'))
  assert(steps.every(({ requiresEpochWait }) => requiresEpochWait))
  assert.equal(plan.currentPositions.length, 2)
})

/** Tokens in every state, with the validator that pays least. */
async function holdEveryState(client: Client) {
  const { validatorId } = await position(client, 'worst', 1)
  const stake = (tokens: bigint) => stakeInSandbox(client, validatorId, String(tokens * TOKEN))
  const unstake = async ({ stakedTokenId }: { readonly stakedTokenId: string }) => {
    const { commands } = await client.buildUnstake({ stakedTokenId })
    assert.equal((await client.sandboxExecute({ sender: ME, commands })).status, 'done')
  }
  const active = await stake(5_000_000n)
  const withdrawable = await stake(400_000n)
  const withdrawing = await stake(300_000n)
  for (const epochs of [100, 100]) await client.sandboxAdvance({ epochs })
  await unstake(withdrawable)
  await client.sandboxAdvance({ epochs: 1 })
  await unstake(withdrawing)
  const pending = await stake(200_000n)
  return { active, withdrawing, withdrawable, pending }
}

async function worthOf(client: Client): Promise<bigint> {
  const { positions } = await client.positions({ owner: ME })
  return positions.reduce((sum, { principal, rewards }) => sum + BigInt(principal) + BigInt(rewards), 0n)
}

/** Holds for every endpoint that builds: its answer has the commands to execute. */
const toBuilt = (body: unknown) => body as Pick<Reply<'buildStake'>, 'commands'>

/** Posts every call of the plan unchanged, in its epoch, and executes the answer. Returns the coins left over. */
async function followCalls(
  url: string,
  apiKey: string,
  client: Client,
  { calls }: Pick<Reply<'planRebalance'>, 'calls'>,
): Promise<bigint> {
  const created = new Map<number, string>()
  let coins = 0n
  for (const { order, epoch, method, path, body, tokenOfCall, paysOut } of calls) {
    const now = await client.epoch()
    if (epoch > now.epoch) await client.sandboxAdvance({ epochs: epoch - now.epoch })
    const stakedTokenId = tokenOfCall === undefined ? {} : { stakedTokenId: created.get(tokenOfCall) }
    const built = await fetch(new URL(path, url), {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...stakedTokenId }),
    })
    assert.equal(built.status, 200, `${path} ${JSON.stringify(body)}: ${await built.clone().text()}`)
    const { commands } = toBuilt(await built.json())
    const done = await client.sandboxExecute({ sender: ME, commands })
    assert.equal(done.status, 'done')
    const [part] = done.created
    if (part) created.set(order, part.stakedTokenId)
    assert(BigInt(done.coinsPaidOut) >= BigInt(paysOut))
    coins += BigInt(done.coinsPaidOut)
    if (body.validatorId !== undefined) coins -= BigInt(body.amount ?? '0')
    assert(coins >= 0n)
  }
  return coins
}

test('200: a plan for an owner covers rewards and every state of a token, and its calls are accepted unchanged', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await admin.registerAgent({ agentName: 'planner', tier: 'pro' })
  const client = app.client({ apiKey: data.apiKey })
  const held = await holdEveryState(client)
  const plan = await client.planRebalance({ owner: ME })
  assert.deepEqual(plan.assumptions, [])
  const stateOf = new Map(plan.currentPositions.map(({ stakedTokenId, state }) => [stakedTokenId, state]))
  for (const [state, { stakedTokenId }] of Object.entries(held)) {
    assert.equal(stateOf.get(stakedTokenId), state)
  }
  const unstaked = plan.steps.filter(({ action }) => action === 'unstake')
  assert(
    unstaked.every(
      ({ stakedTokenId }) =>
        stakedTokenId !== held.withdrawing.stakedTokenId && stakedTokenId !== held.withdrawable.stakedTokenId,
    ),
    'what was unstaked before is not unstaked again',
  )
  const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)
  const staked = sum(plan.steps.filter(({ action }) => action === 'stake').map(({ amount }) => amount))
  assert(
    staked > sum(plan.currentPositions.map(({ stakedAmount }) => stakedAmount)),
    'rewards are staked, too',
  )
  assert.equal(staked, sum(plan.timeline.map(({ restaked }) => restaked)))
  assert.equal(plan.timeline.at(-1)?.left, '0')
  const before = await worthOf(client)
  const coins = await followCalls(app.url, data.apiKey, client, plan)
  assert((await worthOf(client)) + coins >= before)
  assert(coins < before / 100_000n, `${coins} coins lie idle`)
})

test('200: positions and owner give the same plan; positions that the chain does not have are named', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  await holdEveryState(client)
  const { positions } = await client.positions({ owner: ME })
  const named = positions.map(({ stakedTokenId, validatorId, principal }) => ({
    stakedTokenId,
    validatorId,
    principal,
  }))
  const byName = await client.planRebalance({ positions: named })
  const byOwner = await client.planRebalance({ owner: ME })
  const calls = byName.calls.map((call) => ({ ...call, body: { ...call.body, sender: ME } }))
  assert.deepEqual({ ...byName, calls, dataAgeSeconds: 0 }, { ...byOwner, dataAgeSeconds: 0 })
  const [first] = named
  assert(first)
  const wrong = await client.planRebalance({
    positions: [{ ...first, principal: '5' }, await position(client, 'worst', 1)],
  })
  assert.equal(wrong.assumptions.length, 3)
  assert.match(wrong.assumptions[0] ?? '', /has a principal of/)
  assert.match(wrong.assumptions[1] ?? '', /not on the chain/)
  assert.match(wrong.assumptions[2] ?? '', /tier/)
  assert.equal(wrong.currentPositions[0]?.stakedAmount, first.principal)
})

test('400: positions and owner together, or neither of them', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const positions = [await position(client, 'worst', 1)]
  await assert.rejects(client.planRebalance({ maxTargets: 3 }), { status: 400, message: /positions/ })
  await assert.rejects(client.planRebalance({ positions, owner: ME }), { status: 400, message: /positions/ })
})

test('200: stake that is well placed stays, with a reason', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const { allocations } = await client.allocate({ amount: String(1_000_000n * TOKEN), maxValidators: 10 })
  const positions = allocations.map(({ validatorId, amount }, no) => ({
    stakedTokenId: tokenId(no),
    validatorId,
    principal: amount,
  }))
  const { steps, summary } = await client.planRebalance({ positions })
  assert.deepEqual(steps, [])
  assert.equal(summary.recommendation, 'hold')
  assert.equal(summary.projectedWeightedApy, summary.currentWeightedApy)
  assert.equal(summary.estimatedEpochsToComplete, 0)
  assert.equal(summary.breakEvenEpochs, null)
  assert(summary.reason.length > 20)
})

test('200: after the middle of the epoch everything takes one epoch longer', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const positions = [await position(client, 'worst', 1)]
  app.clock.advance(300_000)
  // Before and after the chain is read again.
  for (const _ of [1, 2]) {
    const { summary, validUntil, calls } = await client.planRebalance({ positions })
    assert.equal(summary.estimatedEpochsToComplete, 3)
    assert(Date.parse(validUntil) > app.clock.now())
    for (const { before } of calls) assert(Date.parse(before) > app.clock.now())
    await app.runJob('watch-network')
  }
})

test('400: unknown validators, repeated tokens, empty principals and too many positions are refused with the name of the item', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const good = await position(client, 'worst', 1)
  const wrong = [
    [[], 'positions'],
    [Array.from({ length: 51 }, (_, no) => ({ ...good, stakedTokenId: tokenId(no) })), 'positions'],
    [[good, { ...good, stakedTokenId: tokenId(2), validatorId: 'nobody' }], 'positions[1].validatorId'],
    [[good, good], 'positions[1].stakedTokenId'],
    [[{ ...good, principal: '0' }], 'positions[0].principal'],
    [[{ ...good, principal: '1.5' }], 'positions[0].principal'],
    [[{ ...good, principal: String(10n ** 19n) }], 'positions[0].principal'],
  ] as const
  for (const [positions, field] of wrong) {
    await assert.rejects(
      client.planRebalance({ positions: [...positions] }),
      (error: { status: number; details: { field: string }[] }) => {
        assert.equal(error.status, 400)
        assert.equal(error.details[0]?.field, field)
        return true
      },
    )
  }
  for (const maxTargets of [0, 11]) {
    await assert.rejects(client.planRebalance({ positions: [good], maxTargets }), { status: 400 })
  }
})

test('200: an owner without stake is told that there is nothing to move', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'newcomer' })
  const { summary, steps, certificate } = await app
    .client({ apiKey: data.apiKey })
    .planRebalance({ owner: '0x1234' })
  assert.equal(summary.recommendation, 'hold')
  assert.match(summary.reason, /^There is no stake to move\./)
  assert.deepEqual(steps, [])
  assert.deepEqual(certificate, { value: 0, bound: 0, gap: 0, nodes: 0 })
})

test('200: a plan that moves all stake to one validator is as certain as a stake there: rewards leave with the stake', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  const { validatorId } = await position(client, 'best', 1)
  const [{ owner } = { owner: '' }] = (await client.delegators({ validatorId, limit: 1 })).delegators
  const { positions } = await client.positions({ owner })
  const exclude = [...new Set(positions.map((held) => held.validatorId))]
  const { summary } = await client.planRebalance({ owner, exclude, maxTargets: 1 })
  const split = await client.allocate({ amount: String(TOKEN), maxValidators: 1 })
  const lowOf = (range: typeof split.range, apy: number) =>
    Math.log1p((range?.low ?? 0) / 100) / Math.log1p(apy / 100)
  const [planned, single] = [
    lowOf(summary.range, summary.projectedWeightedApy),
    lowOf(split.range, split.totalProjectedApy),
  ]
  assert(Math.abs(planned - single) < 1e-6, `${planned} instead of ${single}`)
})

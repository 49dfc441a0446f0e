import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox } from '../../support/holdings.ts'
import { openTestApp } from '../../support/test-app.ts'

const TOKEN = 1_000_000_000n
const AMOUNT = String(1_000_000n * TOKEN)
const tokenId = (no: number) => `0x${String(no).padStart(64, '0')}`

test('200: a plan keeps the limits that an allocation was made with', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const best = await client.allocate({ amount: AMOUNT, maxValidators: 1 })
  const exclude = best.allocations.map(({ validatorId }) => validatorId)
  const limits = { exclude, maxShare: 0.5, maxCommission: 0.1, minScore: 30 }
  const { allocations } = await client.allocate({ amount: AMOUNT, maxValidators: 10, ...limits })
  const positions = allocations.map(({ validatorId, amount }, no) => ({
    stakedTokenId: tokenId(no),
    validatorId,
    principal: amount,
  }))
  const kept = await client.planRebalance({ positions, ...limits })
  assert.equal(kept.summary.recommendation, 'hold', kept.summary.reason)
  const excluded = [...exclude, ...allocations.map(({ validatorId }) => validatorId)]
  const moved = await client.planRebalance({ positions, exclude: excluded, maxShare: 0.5 })
  assert.equal(moved.summary.recommendation, 'move')
  assert.match(moved.summary.reason, /Your limits/)
  const targets = moved.steps.filter(({ action }) => action === 'stake')
  assert(targets.length >= 2 && targets.every(({ validator }) => !excluded.includes(validator)))
})

test('200: an allocation says that stake with an excluded validator stays', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const best = await client.allocate({ amount: AMOUNT, maxValidators: 2, maxShare: 0.5 })
  const [held = '', other = ''] = best.allocations.map(({ validatorId }) => validatorId)
  const existing = [{ stakedTokenId: tokenId(1), validatorId: held, principal: AMOUNT }]
  const isStated = async (excluded: string) => {
    const { assumptions } = await client.allocate({ amount: AMOUNT, existing, exclude: [excluded] })
    return assumptions.some((text) => text.startsWith('What you hold with excluded validators stays there'))
  }
  assert.deepEqual([await isStated(held), await isStated(other)], [true, false])
})

test('200: groups are capped, an unknown member is refused by name', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const free = await client.allocate({ amount: AMOUNT, maxValidators: 5, riskAversion: 100 })
  const validatorIds = free.allocations.map(({ validatorId }) => validatorId)
  const groups = [{ name: 'one operator', validatorIds, maxShare: 0.3 }]
  const { allocations } = await client.allocate({ amount: AMOUNT, maxValidators: 5, groups })
  const inside = allocations.filter(({ validatorId }) => validatorIds.includes(validatorId))
  assert(inside.reduce((sum, { amount }) => sum + BigInt(amount), 0n) <= 300_000n * TOKEN)
  const unknown = [{ name: 'nobody', validatorIds: [tokenId(1)], maxShare: 0.3 }]
  await assert.rejects(client.allocate({ amount: AMOUNT, groups: unknown }), {
    status: 400,
    message: /groups\[0\]\.validatorIds/,
  })
})

test('200: existing stake counts, given by owner or token by token, and stays where it is', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const options = { amount: String(5_000_000n * TOKEN), maxValidators: 5, riskAversion: 0 }
  const [first] = (await client.allocate(options)).allocations
  assert(first)
  const { stakedTokenId } = await stakeInSandbox(client, first.validatorId, String(20_000_000n * TOKEN))
  await app.runJob('watch-network')
  const unaware = await client.allocate(options)
  const byOwner = await client.allocate({ ...options, owner: ME })
  const existing = [{ stakedTokenId, validatorId: first.validatorId, principal: String(20_000_000n * TOKEN) }]
  const byToken = await client.allocate({ ...options, existing })
  assert.deepEqual(byOwner, byToken)
  const share = ({ allocations }: typeof unaware) =>
    allocations.find(({ validatorId }) => validatorId === first.validatorId)?.weight ?? 0
  assert(share(byOwner) < share(unaware) || share(unaware) === 0, 'more of the same dilutes what is held')
  await assert.rejects(client.allocate({ ...options, existing, owner: ME }), { status: 400 })
  await assert.rejects(
    client.allocate({
      ...options,
      existing: [{ ...existing[0], validatorId: tokenId(3) }] as typeof existing,
    }),
    { status: 400, message: /existing\[0\]\.validatorId/ },
  )
})

test('200: coins that are needed sooner than stake can be withdrawn are not staked', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const liquid = String(250_000n * TOKEN)
  const sum = (parts: readonly { amount: string }[]) =>
    parts.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const soon = await client.allocate({ amount: AMOUNT, keepLiquid: { amount: liquid, withinEpochs: 1 } })
  assert.equal(soon.heldBack, liquid)
  assert.equal(sum(soon.allocations), 750_000n * TOKEN)
  const later = await client.allocate({ amount: AMOUNT, keepLiquid: { amount: liquid, withinEpochs: 2 } })
  assert.equal(later.heldBack, '0')
  assert.equal(sum(later.allocations), 1_000_000n * TOKEN)
  await assert.rejects(client.allocate({ amount: AMOUNT, keepLiquid: { amount: AMOUNT, withinEpochs: 0 } }), {
    status: 400,
    message: /keepLiquid/,
  })
})

test('200: stake that is being withdrawn counts for `keepLiquid`, in an allocation and in a plan', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const [{ validatorId } = assert.fail()] = (await client.allocate({ amount: AMOUNT })).allocations
  const withdrawn = 6n * TOKEN
  const { stakedTokenId } = await stakeInSandbox(client, validatorId, String(withdrawn))
  await client.sandboxAdvance({ epochs: 2 })
  const { commands } = await client.buildUnstake({ stakedTokenId, sender: ME })
  assert.equal((await client.sandboxExecute({ sender: ME, commands })).status, 'done')
  const keep = (amount: bigint, withinEpochs = 1) => ({ amount: String(amount), withinEpochs })
  const ask = (amount: bigint, kept: ReturnType<typeof keep>) =>
    client.allocate({ amount: String(amount), owner: ME, keepLiquid: kept })
  const isCounted = ({ assumptions }: Awaited<ReturnType<typeof ask>>) =>
    assumptions.some((line) => /they count for `keepLiquid`/.test(line))
  await app.runJob('watch-network')
  const early = await ask(20n * TOKEN, keep(5n * TOKEN, 0))
  assert.equal(early.heldBack, String(5n * TOKEN), 'what comes later than asked does not count')
  assert(!isCounted(early))
  await client.sandboxAdvance({ epochs: 2 })
  await app.runJob('watch-network')
  const all = await ask(20n * TOKEN, keep(5n * TOKEN))
  assert.deepEqual([all.heldBack, isCounted(all)], ['0', true])
  const part = await ask(20n * TOKEN, keep(8n * TOKEN))
  assert(BigInt(part.heldBack) > TOKEN && BigInt(part.heldBack) < 2n * TOKEN, part.heldBack)
  assert.equal((await ask(TOKEN, keep(withdrawn))).heldBack, '0')
  const { steps } = await client.planRebalance({ owner: ME, keepLiquid: keep(5n * TOKEN) })
  assert(steps.length > 0 && steps.every(({ action }) => action === 'stake'))
  const none = await client.allocate({ amount: String(20n * TOKEN), owner: ME })
  assert(!isCounted(none))
})

test('200: alternatives have the yield of other choices', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const amount = String(300_000_000n * TOKEN)
  const answer = await client.allocate({ amount, maxValidators: 5 })
  const one = answer.alternatives?.find(({ name }) => name === 'maxValidators 1')
  const many = answer.alternatives?.find(({ name }) => name === 'maxValidators 50')
  assert(one && many)
  assert(one.projectedApy < answer.totalProjectedApy && answer.totalProjectedApy < many.projectedApy)
  assert(BigInt(many.rewardsPerYear) > BigInt(one.rewardsPerYear))
  const without = await client.allocate({ amount, maxValidators: 5, alternatives: false })
  assert.equal(without.alternatives, undefined)
})

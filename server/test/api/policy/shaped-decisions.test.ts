import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Input } from '@stakewright/client'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, stakeInSandbox } from '../../support/holdings.ts'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

type Rules = Input<'writePolicy'>['rules']

const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const
const AMOUNT = '900000000000000'
const LARGE = '400000000000000'

/** Two agents of one tier: one has a policy, the other has none. */
async function openWithTwo() {
  const app = await openTestApp({ env: ADMIN })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const [held, free] = [
    await admin.registerAgent({ agentName: 'held', tier: 'pro' }),
    await admin.registerAgent({ agentName: 'free', tier: 'pro' }),
  ].map(({ data }) => ({ id: data.id, client: app.client({ apiKey: data.apiKey }) }))
  assert(held && free)
  let revision = 0
  const setRules = async (rules: Rules) => {
    await admin.writePolicy({ id: held.id, rules: [ALL, ...rules], revision })
    revision += 1
  }
  return {
    app,
    held: held.client,
    free: free.client,
    setRules,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

const chosen = async (client: Client, options: Partial<Input<'allocate'>> = {}) => {
  const answer = await client.allocate({ amount: AMOUNT, maxValidators: 5, alternatives: false, ...options })
  return { ...answer, ids: answer.allocations.map(({ validatorId, amount }) => [validatorId, amount]) }
}

test('200: an allocation under a policy is that of the same limits, and has the cost of each rule', async () => {
  await using opened = await openWithTwo()
  const { held, free, setRules } = opened
  const open = await chosen(free)
  assert.equal(open.policy, undefined)
  const [first = ''] = open.allocations.map(({ validatorId }) => validatorId)
  const deny: Rules = [{ rule: 'validators', deny: [first] }]
  await setRules(deny)
  const denied = await chosen(held)
  assert.deepEqual(denied.ids, (await chosen(free, { exclude: [first] })).ids)
  assert.deepEqual(
    denied.policy?.costs.map(({ rule }) => rule),
    ['validators'],
  )
  assert(
    Math.abs((denied.policy?.costs[0]?.apy ?? 0) - (open.totalProjectedApy - denied.totalProjectedApy)) <
      0.001,
  )
  await setRules([...deny, { rule: 'maxShare', share: 0.25 }, { rule: 'maxCommission', commission: 0.08 }])
  const limits = { exclude: [first], maxShare: 0.25, maxCommission: 0.08 }
  const both = await chosen(held, { maxShare: 0.9 })
  assert.deepEqual(both.ids, (await chosen(free, limits)).ids)
  const withoutShare = await chosen(free, { ...limits, maxShare: 0.9 })
  const share = both.policy?.costs.find(({ rule }) => rule === 'maxShare')
  assert(
    Math.abs((share?.apy ?? -1) - Math.max(0, withoutShare.totalProjectedApy - both.totalProjectedApy)) <
      0.001,
  )
  const allow = (await free.validators()).data.filter(({ status }) => status === 'active').slice(0, 4)
  await setRules([{ rule: 'validators', allow: allow.map(({ id }) => id) }])
  const only = new Set(allow.map(({ id }) => id))
  assert((await chosen(held)).allocations.every(({ validatorId }) => only.has(validatorId)))
  // The policy allows the advised allocation.
  const items = (await chosen(held)).allocations.map(
    ({ validatorId, amount }) => ({ action: 'stake', validatorId, amount }) as const,
  )
  assert.equal((await held.simulatePolicy({ items, sender: ME })).allowed, true)
})

test('200: a plan under a policy is that of the same limits, and leaves stake with denied validators where it is', async () => {
  await using opened = await openWithTwo()
  const { held, free, setRules } = opened
  const { validators: scored } = await free.scoredValidators()
  const worst =
    scored.findLast(({ ineligible }) => ineligible.length === 0)?.validatorId ??
    scored.at(-1)?.validatorId ??
    ''
  await stakeInSandbox(free, worst, LARGE)
  await free.sandboxAdvance({ epochs: 2 })
  const plan = { owner: ME, maxTargets: 5 }
  const open = await free.planRebalance(plan)
  assert.equal(open.summary.recommendation, 'move')
  const commission = 0.05
  await setRules([{ rule: 'maxCommission', commission }])
  const under = await held.planRebalance(plan)
  assert.deepEqual(under.steps, (await free.planRebalance({ ...plan, maxCommission: commission })).steps)
  assert.deepEqual(
    under.policy?.costs.map(({ rule }) => rule),
    ['maxCommission'],
  )
  await setRules([{ rule: 'validators', deny: (await free.validators()).data.map(({ id }) => id) }])
  assert.deepEqual((await held.planRebalance(plan)).steps, [])
})

test('200: the cost of a rule is the gain of removing it alone, in allocations and in plans', async () => {
  await using opened = await openWithTwo()
  const { held, free, setRules } = opened
  const { validators: scored } = await free.scoredValidators()
  const [best = ''] = (await chosen(free)).allocations.map(({ validatorId }) => validatorId)
  const worst = scored.findLast(({ ineligible }) => ineligible.length === 0)?.validatorId ?? ''
  await stakeInSandbox(free, worst, LARGE)
  await free.sandboxAdvance({ epochs: 2 })
  const figures = async () => {
    const [allocated, planned] = [
      await chosen(held, { owner: ME }),
      await held.planRebalance({ owner: ME, maxTargets: 5 }),
    ]
    return [
      { apy: allocated.totalProjectedApy, costs: allocated.policy?.costs ?? [] },
      { apy: planned.summary.projectedWeightedApy, costs: planned.policy?.costs ?? [] },
    ]
  }
  const together: Rules = [
    { rule: 'validators', deny: [best] },
    { rule: 'minScore', score: 60 },
    { rule: 'maxCommission', commission: 0.05 },
    { rule: 'maxShare', share: 0.3 },
    { rule: 'minValidators', validators: 4 },
  ]
  let gained = 0
  for (const rules of [together, [{ rule: 'maxPerTx', amount: LARGE }, ...together.slice(0, 2)] as Rules]) {
    await setRules(rules)
    const under = await figures()
    for (const { rule } of rules) {
      await setRules(rules.filter((other) => other.rule !== rule))
      for (const [at, { apy }] of (await figures()).entries()) {
        const { apy: present = 0, costs = [] } = under[at] ?? {}
        const cost = costs.find((one) => one.rule === rule)?.apy ?? Number.NaN
        assert(Math.abs(cost - Math.max(0, apy - present)) < 0.001, `${rule}: ${cost}, ${apy} and ${present}`)
        if (cost > 0) gained += 1
      }
    }
  }
  assert(gained >= 4, `${gained} costs are above nothing`)
})

test('200: maxPerTx costs nothing where several transactions can be built: stakes and unstakes are split', async () => {
  await using opened = await openWithTwo()
  const { held, free, setRules } = opened
  const { validators: scored } = await free.scoredValidators()
  const worst = scored.findLast(({ ineligible }) => ineligible.length === 0)?.validatorId ?? ''
  await stakeInSandbox(free, worst, AMOUNT)
  await free.sandboxAdvance({ epochs: 2 })
  await setRules([{ rule: 'maxPerTx', amount: LARGE }])
  for (const maxValidators of [1, 2]) {
    const options = { maxValidators, riskAversion: 0 }
    const [open, under] = [await chosen(free, options), await chosen(held, options)]
    assert.deepEqual(under.ids, open.ids)
    assert.deepEqual(under.policy?.costs, [{ rule: 'maxPerTx', apy: 0 }])
    for (const { amount, transactions = 1 } of under.allocations)
      assert.equal(transactions, Math.ceil(Number(amount) / Number(LARGE)))
  }
  const asked = { owner: ME, maxTargets: 2, riskAversion: 0 }
  const [open, under] = [await free.planRebalance(asked), await held.planRebalance(asked)]
  assert.deepEqual(under.policy?.costs, [{ rule: 'maxPerTx', apy: 0 }])
  assert.equal(open.steps.filter(({ action }) => action === 'unstake').length, 1)
  const parts = under.steps.filter(({ action }) => action === 'unstake')
  assert.equal(parts.length, 3)
  assert.equal(new Set(parts.map(({ stakedTokenId }) => stakedTokenId)).size, 1)
  assert.equal(
    parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    BigInt(open.steps[0]?.amount ?? 0),
  )
  assert.equal(under.timeline[0]?.requested, open.timeline[0]?.requested)
})

test('200: an amount that takes billions of transactions can be split', async () => {
  await using opened = await openWithTwo()
  const { held, setRules } = opened
  const perTx = 1_000_000_000n
  await setRules([{ rule: 'maxPerTx', amount: String(perTx) }])
  const amount = 10n ** 19n
  const { allocations } = await chosen(held, { amount: String(amount) })
  assert.equal(
    allocations.reduce((sum, part) => sum + BigInt(part.amount), 0n),
    amount,
  )
  for (const part of allocations) {
    assert.equal(BigInt(part.amount) % perTx, 0n)
    assert.equal(BigInt(part.transactions ?? 1), BigInt(part.amount) / perTx)
  }
})

test('200: `forbids` leaves out what a simulation checks, and its description says so', async () => {
  await using opened = await openWithTwo()
  const { app, held, setRules } = opened
  await setRules([
    { rule: 'maxPerWindow', window: 'day', amount: '1000000000' },
    { rule: 'approvalAbove', amount: '1000000000' },
  ])
  const { policy, allocations } = await chosen(held)
  const items = allocations.map(({ validatorId, amount }) => ({
    action: 'stake' as const,
    validatorId,
    amount,
  }))
  const { allowed } = await held.simulatePolicy({ items, sender: ME })
  assert.deepEqual([policy?.forbids, allowed], [[], false])
  const { components } = JSON.parse(await (await fetch(`${app.url}/openapi.json?operation=allocate`)).text())
  const { description } = components.schemas.PolicyCosts.properties.forbids
  assert.match(description, /Windows, approvals .* are not checked here.* policy\/simulate checks all/)
})

test('200: allocations and plans name the rules that forbid building them, as a build does', async () => {
  await using opened = await openWithTwo()
  const { app, held, setRules } = opened
  const worst = (await held.validators({ limit: 100 })).data.findLast(({ status }) => status === 'active')
  await stakeInSandbox(held, worst?.id ?? '', LARGE)
  const other = `0x${'22'.repeat(32)}`
  const rules: Rules = [
    { rule: 'networks', allow: ['ika'] },
    { rule: 'senders', allow: [other] },
    { rule: 'hours', days: ['sun'], from: 0, to: 1 },
    { rule: 'expires', at: new Date(app.clock.now() + 1_000).toISOString() },
    { rule: 'paused' },
    { rule: 'maxCommission', commission: 0.9 },
  ]
  await setRules([])
  const freely = await chosen(held, { owner: ME })
  assert.deepEqual(freely.policy?.forbids, [])
  await setRules(rules)
  app.clock.advance(2_000)
  const [{ validatorId } = { validatorId: '' }] = freely.allocations
  const { broken } = await held.simulatePolicy({
    items: [{ action: 'stake', validatorId, amount: '5000000000' }],
    sender: ME,
  })
  assert.deepEqual(
    broken.map(({ rule }) => rule),
    ['networks', 'senders', 'hours', 'expires', 'paused'],
  )
  assert.deepEqual((await chosen(held, { owner: ME })).policy?.forbids, broken)
  const anybody = (await chosen(held)).policy?.forbids.map(({ rule }) => rule)
  assert.deepEqual(anybody, ['networks', 'hours', 'expires', 'paused'], 'the sender is not known')
  const { calls, policy } = await held.planRebalance({ owner: ME })
  assert(calls.length > 0 && calls.every(({ body }) => body.sender === ME))
  assert.deepEqual(
    policy?.forbids.map(({ rule }) => rule),
    broken.map(({ rule }) => rule),
  )
})

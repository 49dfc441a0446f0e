import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Input } from '@stakewright/client'
import fc from 'fast-check'
import { ADMIN } from '../../support/builder-agent.ts'
import { inParts } from '../../support/planning/in-parts.ts'
import { signIn } from '../../support/registered-agent.ts'
import { PROPERTY_RUNS, rounds } from '../../support/repetitions.ts'
import { openTestApp } from '../../support/test-app.ts'

const SEED = 20_260_101
const UNIT = 1_000_000_000n

/** What a sender holds, in which epochs it was staked, and the share that one validator may have. */
const cases = fc.record({
  share: fc.oneof(
    fc.constantFrom(1 / 2, 1 / 3, 1 / 4, 1 / 5, 0.3),
    fc.double({ min: 0.21, max: 0.9, noNaN: true }),
  ),
  held: fc.array(
    fc.record({
      validator: fc.nat(30),
      amount: fc.bigInt({ min: 1_000n * UNIT, max: 2_000_000n * UNIT }),
      epochs: fc.nat(2),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  amount: fc.bigInt({ min: 10_000n * UNIT, max: 5_000_000n * UNIT }),
  /** The rules of the cases that combine several. */
  more: fc.record({
    share: fc.boolean(),
    perTx: fc.option(fc.bigInt({ min: 50_000n * UNIT, max: 1_000_000n * UNIT })),
    validators: fc.option(fc.integer({ min: 2, max: 4 })),
  }),
})

/** An agent whose policy is set for each case, and one without a policy. */
async function openAgents() {
  const app = await openTestApp({ env: { ...ADMIN, LIMIT_IP_RPM: '1000000' } })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const [held, free] = [
    await admin.registerAgent({ agentName: 'held', tier: 'enterprise' }),
    await admin.registerAgent({ agentName: 'free', tier: 'enterprise' }),
  ].map(({ data }) => ({ id: data.id, client: app.client({ apiKey: data.apiKey }) }))
  assert(held && free)
  const { data } = await free.client.validators({ limit: 100 })
  const ids = data.flatMap(({ id, status }) => (status === 'active' ? [id] : []))
  let revision = 0
  const setRules = async (sender: string, some: Rules) => {
    const rules: Rules = [
      { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] },
      { rule: 'senders', allow: [sender] },
      ...some,
    ]
    await admin.writePolicy({ id: held.id, rules, revision })
    revision += 1
    // Stays below the user's limit of requests per minute.
    app.clock.advance(1_000)
  }
  return {
    ...{ app, key: held.client, free: free.client, ids, setRules },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

type Rules = Input<'writePolicy'>['rules']
type Commands = Input<'sandboxExecute'>['commands']

async function execute(client: Client, sender: string, { commands }: { readonly commands: Commands }) {
  const result = await client.sandboxExecute({ sender, commands })
  assert.equal(result.status, 'done')
  return result
}

type Plan = Awaited<ReturnType<Client['planRebalance']>>

const isStaking = ({ path }: Plan['calls'][number]): boolean =>
  /(stake|batch)$/.test(path) && !/unstake$/.test(path)

/**
 * Makes the calls of a plan, each in its epoch, and executes what is built: the stakes of an epoch once all of them are
 * built, the last one first.
 */
async function follow(key: Client, { calls, epoch }: Plan): Promise<void> {
  let now = epoch
  const created = new Map<number, string>()
  const built: { readonly sender: string; readonly commands: Commands }[] = []
  const executeBuilt = async () => {
    for (const one of built.splice(0).reverse()) await execute(key, one.sender, one)
  }
  for (const call of calls) {
    const { order, epoch: at, path, body, tokenOfCall } = call
    if (now < at || !isStaking(call)) await executeBuilt()
    while (now < at) now = (await key.sandboxAdvance({ epochs: 1 })).epoch
    const { validatorId = '', amount = '', items = [], sender = '' } = body
    const stakedTokenId = body.stakedTokenId ?? created.get(tokenOfCall ?? 0) ?? ''
    const builds: Readonly<Record<string, () => Promise<{ readonly commands: Commands }>>> = {
      stake: () => key.buildStake({ validatorId, amount, sender }),
      unstake: () => key.buildUnstake({ stakedTokenId, sender, ...(amount !== '' && { amount }) }),
      withdraw: () => key.buildWithdraw({ stakedTokenId, sender }),
      batch: () => key.buildBatch({ items, sender }),
    }
    const answer = await builds[path.split('/').at(-1) ?? '']?.()
    assert(answer, path)
    if (isStaking(call)) {
      built.push({ sender, commands: answer.commands })
      continue
    }
    const result = await execute(key, sender, answer)
    created.set(order, result.created[0]?.stakedTokenId ?? '')
  }
  await executeBuilt()
}

type Opened = Awaited<ReturnType<typeof openAgents>>
type Case = ReturnType<typeof drawCases>[number]

/** Draws up to six cases: the sandbox lends a key enough for that many. */
const drawCases = (seed: number) => fc.sample(cases, { numRuns: rounds(6), seed })

const ABOUT_HOLDINGS: readonly string[] = ['maxShare', 'minValidators']

type Advised = Pick<Case, 'held' | 'amount'> & { readonly rules: Rules }

function rulesOf({ share, more }: Case): Rules {
  return [
    ...(more.share ? [{ rule: 'maxShare', share } as const] : []),
    ...(more.perTx === null ? [] : [{ rule: 'maxPerTx', amount: String(more.perTx) } as const]),
    ...(more.validators === null ? [] : [{ rule: 'minValidators', validators: more.validators } as const]),
  ]
}

/** Builds the advised allocation and the advised plan of one case. */
async function buildAsAdvised(
  { key, free, ids, setRules }: Opened,
  sender: string,
  { rules, held, amount }: Advised,
) {
  for (const one of held) {
    const validatorId = ids[one.validator % ids.length] ?? ''
    await execute(free, sender, await free.buildStake({ validatorId, amount: String(one.amount), sender }))
    if (one.epochs > 0) await free.sandboxAdvance({ epochs: one.epochs })
  }
  await free.sandboxAdvance({ epochs: 2 })
  await setRules(sender, rules)
  const mayBuild = (most: bigint) =>
    key.allocate({ amount: String(most), owner: sender, maxValidators: 20, alternatives: false })
  const spread = new Set(held.map(({ validator }) => ids[validator % ids.length])).size
  const isJoint = rules.some(
    (one) => one.rule === 'maxShare' || (one.rule === 'minValidators' && one.validators > spread),
  )
  const { allocations, wanted } = await mayBuild(amount).then(
    (answer) => ({ ...answer, wanted: amount }),
    async (error: unknown) => {
      assert(isJoint, `several transactions can stake any amount: ${error}`)
      // More than one transaction can stake: the refusal says how much one can.
      const most = BigInt(/at most (\d+)/.exec(String(error))?.[1] ?? assert.fail(String(error)))
      return { ...(await mayBuild(most)), wanted: most }
    },
  )
  const items = allocations.flatMap(({ validatorId, amount, transactions = 1 }) =>
    inParts(BigInt(amount), BigInt(transactions)).map((part) => ({
      action: 'stake' as const,
      validatorId,
      amount: String(part),
    })),
  )
  const sum = items.reduce((sum, item) => sum + BigInt(item.amount), 0n)
  assert.equal(sum, wanted)
  for (const part of isJoint ? [items] : items.map((item) => [item])) {
    const built = await key.buildBatch({ items: part, sender })
    if (rules.some(({ rule }) => ABOUT_HOLDINGS.includes(rule)))
      await key.releaseReservation({ intentId: built.intentId })
  }
  const plan = await key.planRebalance({ owner: sender })
  await follow(key, plan)
  return plan
}

test('200: under maxShare allocations and plans are accepted when they are built as advised', async () => {
  let [moved, joint] = [0, 0]
  for (let run = 0; run < PROPERTY_RUNS; run++) {
    await using opened = await openAgents()
    for (const [at, one] of drawCases(SEED + run).entries()) {
      const label = JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const sender = `0x${(at + 1).toString(16).padStart(64, '5')}`
      const rules: Rules = [{ rule: 'maxShare', share: one.share }]
      const plan = await buildAsAdvised(opened, sender, { ...one, rules }).catch((cause) =>
        assert.fail(`${cause} in ${label}`),
      )
      if (plan.calls.length > 0) moved += 1
      if (plan.calls.some(({ path }) => path.endsWith('/batch'))) joint += 1
    }
  }
  assert(moved > 0 && joint > 0, `${moved} plans move, ${joint} with several stakes at once`)
})

test('200: under maxPerTx and minValidators, too, allocations and plans are accepted when built as advised', async () => {
  let moved = 0
  for (let run = 0; run < PROPERTY_RUNS; run++) {
    await using opened = await openAgents()
    for (const [at, one] of drawCases(SEED + 100 + run).entries()) {
      const label = JSON.stringify(one, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const sender = `0x${(at + 1).toString(16).padStart(64, '6')}`
      const plan = await buildAsAdvised(opened, sender, { ...one, rules: rulesOf(one) }).catch((cause) =>
        assert.fail(`${cause} in ${label}`),
      )
      if (plan.calls.length > 0) moved += 1
    }
  }
  assert(moved > 0, 'some plans move')
})

test('200: under maxShare and maxPerTx a plan stakes by several equal transactions, in any order', async () => {
  await using opened = await openAgents()
  const { key, ids } = opened
  const sender = `0x${'7'.repeat(64)}`
  const [worst, second] = [ids.length - 1, ids.length - 2]
  const rules: Rules = [
    { rule: 'maxShare', share: 0.5 },
    { rule: 'maxPerTx', amount: String(100_000n * UNIT), actions: ['stake'] },
  ]
  const held = [worst, second].map((validator) => ({ validator, amount: 150_000n * UNIT, epochs: 0 }))
  const plan = await buildAsAdvised(opened, sender, { rules, held, amount: 90_000n * UNIT })
  const staking = plan.calls.filter(isStaking)
  assert(staking.length > 1, `${staking.length} transactions stake`)
  assert.deepEqual(new Set(staking.map(({ body }) => JSON.stringify(body))).size, 1, 'all alike')
  assert.deepEqual(plan.assumptions, [])
  const { positions } = await key.positions({ owner: sender })
  const staked = positions.reduce((sum, { principal }) => sum + BigInt(principal), 0n)
  assert(staked > 299_999n * UNIT, `${staked} is staked again`)
})

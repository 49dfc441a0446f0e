import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import {
  sampleNetwork,
  seededRandom,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { smaller } from '../../amount.ts'
import { allocator } from '../allocation/allocation.ts'
import { scoreValidators } from '../scoring/score.ts'
import { canReceiveStake, type StakeLimits, shareOf } from '../stake-limits.ts'
import { type StakeOptions, stakeOptionsOf } from '../stake-options.ts'
import { assumedToken, type HeldToken, tokenValue } from './held-token.ts'
import { planRebalance, type RebalancePlan } from './plan-rebalance.ts'

function marketOf(count: number, seed: number, byStake: boolean): StakeOptions {
  const options = byStake
    ? ({ network: 'sui', shape: { kind: 'proportional', capShare: 0.1 } } as const)
    : undefined
  const validators = variedValidators(count, seed).map((one) => ({ ...one, firstEpoch: 92 }))
  const { snapshot, records } = sampleNetwork(validators, options)
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

/** Tokens of random sizes; some have large rewards, and some have a requested withdrawal. */
function tokensOf({ options, epoch }: StakeOptions, count: number, seed: number): readonly HeldToken[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const principal = BigInt(Math.floor(10 ** (11 + 4 * random())))
    const token = assumedToken({
      stakedTokenId: `t${index}`,
      validatorId: options[Math.floor(random() ** 2 * options.length)]?.validatorId ?? '',
      principal,
    })
    const rewards = (principal * BigInt(Math.floor(30 * random()))) / 100n
    return { ...token, rewards, withdrawEpoch: random() < 0.15 ? epoch.number : undefined }
  })
}

/** The stake with each validator after the plan, the stake that moved, and the coins left. */
function after(tokens: readonly HeldToken[], { steps, timeline }: RebalancePlan) {
  const staked = new Map<string, bigint>()
  const add = (id: string, amount: bigint) => staked.set(id, (staked.get(id) ?? 0n) + amount)
  for (const token of tokens) if (token.withdrawEpoch === undefined) add(token.validatorId, tokenValue(token))
  let moved = 0n
  for (const { action, validatorId, amount, rewards = 0n } of steps) {
    if (action === 'unstake') moved += amount + rewards
    add(validatorId, action === 'stake' ? amount : -amount - rewards)
  }
  return { staked, moved, coins: timeline.at(-1)?.left ?? 0n }
}

/** The fraction of all stake that ten validators which may receive stake can hold, within share and group. */
function roomFor({ options }: StakeOptions, limits: StakeLimits): number {
  const { maxShare = 1, groups = [] } = limits
  const open = options.filter(canReceiveStake(limits))
  const [group] = groups
  const inside = open.filter(({ validatorId }) => group?.validatorIds.has(validatorId)).length
  const outside = Math.min(open.length - inside, group ? 5 : 10)
  return outside * maxShare + Math.min(Math.min(inside, 5) * maxShare, group?.maxShare ?? 0)
}

const cases = fc.record({
  seed: fc.nat(10_000),
  count: fc.integer({ min: 6, max: 25 }),
  held: fc.integer({ min: 1, max: 12 }),
  byStake: fc.boolean(),
  limits: fc.record(
    {
      maxShare: fc.constantFrom(0.25, 0.4, 0.5, 1),
      minScore: fc.constantFrom(0, 20, 40),
      maxCommission: fc.constantFrom(0.05, 0.1, 1),
      excluded: fc.nat(3),
      group: fc.constantFrom(0.3, 0.5, undefined),
      liquid: fc.constantFrom(0, 0.1, 0.3),
      maxTurnover: fc.constantFrom(0.1, 0.3, 1),
    },
    { requiredKeys: ['excluded', 'group', 'liquid', 'maxTurnover'] },
  ),
})

test('a plan keeps every limit: excluded validators, shares, groups, turnover, coins kept liquid', () => {
  fc.assert(
    fc.property(cases, ({ seed, count, held, byStake, limits: wish }) => {
      const market = marketOf(count, seed, byStake)
      const tokens = tokensOf(market, held, seed)
      const total = tokens.reduce((sum, token) => sum + tokenValue(token), 0n)
      const ids = market.options.map(({ validatorId }) => validatorId)
      const exclude = new Set(ids.slice(0, wish.excluded))
      const keepLiquid = {
        amount: BigInt(Math.floor(Number(total) * wish.liquid)),
        withinEpochs: byStake ? 0 : 1,
      }
      const groups = wish.group
        ? [{ name: 'half', validatorIds: new Set(ids.filter((_, at) => at % 2 === 0)), maxShare: wish.group }]
        : []
      const { maxShare, minScore, maxCommission, maxTurnover } = wish
      const limits: StakeLimits = {
        exclude,
        keepLiquid,
        groups,
        ...withoutUndefined({ maxShare, minScore, maxCommission }),
      }
      const plan = planRebalance(market, { ...limits, tokens, maxTargets: 10, maxTurnover })
      const { staked, moved, coins } = after(tokens, plan)
      const optionOf = new Map(market.options.map((option) => [option.validatorId, option]))
      for (const { action, validatorId, amount } of plan.steps) {
        const option = optionOf.get(validatorId)
        assert.ok(option && amount >= TOKEN)
        if (action === 'unstake') continue
        assert.ok(!exclude.has(validatorId) && option.score >= (minScore ?? 0))
        assert.ok(option.commission <= (maxCommission ?? 1))
      }
      assert.ok(moved <= shareOf(total, maxTurnover), 'turnover')
      const { breakEvenEpochs = 1 } = plan.summary
      assert.ok(breakEvenEpochs > 0 && breakEvenEpochs < Infinity, `level after ${breakEvenEpochs} epochs`)
      if (maxTurnover < 1 || plan.summary.recommendation === 'hold') return
      if (roomFor(market, limits) < 1.1) return
      const back = byStake ? 0n : keepLiquid.amount
      const whole = total - back
      const slack = BigInt(held) * TOKEN
      for (const [id, amount] of staked) {
        if (exclude.has(id)) assert.equal(amount, 0n, 'excluded')
        assert.ok(amount <= shareOf(whole, maxShare ?? 1) + TOKEN, `share: ${amount} of ${whole}`)
      }
      for (const { validatorIds, maxShare } of groups) {
        const inside = [...staked].reduce(
          (sum, [id, amount]) => sum + (validatorIds.has(id) ? amount : 0n),
          0n,
        )
        assert.ok(inside <= shareOf(whole, maxShare) + slack, `group: ${inside} of ${whole}`)
      }
      assert.ok(coins >= back, `${coins} coins instead of ${back}`)
    }),
    runs(300),
  )
})

test('stake beyond a share moves as far as there is room, to the unit, whatever its rate, risk or rewards', () => {
  const cases = fc.record({
    seed: fc.nat(10_000),
    held: fc.array(fc.integer({ min: 1_000, max: 400_000 }), { minLength: 1, maxLength: 4 }),
    maxShare: fc.double({ min: 0.03, max: 0.4, noNaN: true }),
    maxTargets: fc.integer({ min: 1, max: 10 }),
    percentEarned: fc.constantFrom(0n, 0n, 7n),
    isPending: fc.boolean(),
    hasGroup: fc.boolean(),
    withBest: fc.boolean(),
    riskAversion: fc.constantFrom(0, 10, 1_000),
    maxTurnover: fc.constantFrom(1, 1, 0.3),
  })
  const fits = { yes: 0, no: 0 }
  fc.assert(
    fc.property(cases, ({ seed, held, percentEarned, isPending, hasGroup, withBest, ...limits }) => {
      const { maxShare, maxTargets, maxTurnover } = limits
      const market = marketOf(25, seed, false)
      const byWorth = market.options.toSorted((a, b) => (withBest ? b.score - a.score : a.score - b.score))
      const tokens = held.map((tokens, at): HeldToken => {
        const principal = BigInt(tokens) * TOKEN + BigInt(seed)
        const token = assumedToken({
          stakedTokenId: `t${at}`,
          validatorId: byWorth[at]?.validatorId ?? '',
          principal,
        })
        const activationEpoch = isPending ? market.epoch.number + 1 : 0
        return { ...token, activationEpoch, rewards: (principal * percentEarned) / 100n }
      })
      const total = tokens.reduce((sum, token) => sum + tokenValue(token), 0n)
      const share = shareOf(total, maxShare)
      if (tokens.every((token) => tokenValue(token) <= share)) return
      const groups = hasGroup
        ? [{ name: 'all', validatorIds: new Set(market.options.map((one) => one.validatorId)), maxShare: 1 }]
        : []
      const plan = planRebalance(market, { tokens, groups, ...limits })
      const { staked } = after(tokens, plan)
      const open = market.options.filter(({ eligible }) => eligible)
      const empty = open.filter(
        ({ validatorId }) => !tokens.some((token) => token.validatorId === validatorId),
      )
      const room = smaller(BigInt(Math.min(maxTargets, empty.length)) * share, shareOf(total, maxTurnover))
      const beyondIn = (amounts: Iterable<bigint>): bigint =>
        [...amounts].reduce((sum, amount) => (amount > share ? sum + amount - share : sum), 0n)
      const before = beyondIn(tokens.map(tokenValue))
      const beyond = beyondIn(staked.values())
      assert.equal(plan.summary.recommendation, 'move')
      if (room >= before) {
        fits.yes++
        assert.equal(beyond, 0n, plan.summary.reason)
        assert.match(plan.summary.reason, /moving within them/)
      } else {
        fits.no++
        assert.ok(beyond <= before - room + 5n * TOKEN, `${beyond} instead of ${before - room}`)
        assert.match(plan.summary.reason, /A part stays beyond/)
      }
    }),
    runs(400),
  )
  assert.ok(fits.yes > 20 && fits.no > 20, JSON.stringify(fits))
})

const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

test('the reason tells whether all stake, a part of it or none can move within the limits', () => {
  const market = marketOf(12, 3, false)
  const [worst] = market.options.toSorted((a, b) => (a.stake < b.stake ? 1 : -1))
  assert.ok(worst)
  const { validatorId } = worst
  const reasonFor = (principal: bigint, limits: StakeLimits & { readonly maxTurnover?: number }): string => {
    const tokens = [assumedToken({ stakedTokenId: 't', validatorId, principal })]
    return planRebalance(market, { tokens, maxTargets: 5, ...limits }).summary.reason
  }
  const much = 10_000n * TOKEN
  const exclude = new Set([validatorId])
  assert.match(reasonFor(much, { exclude }), /moving within them changes the yield from/)
  assert.match(reasonFor(much, { exclude, maxTurnover: 0.2 }), /A part stays beyond them/)
  assert.match(reasonFor(much, { maxShare: 0.1 }), /A part stays beyond them/)
  assert.match(
    reasonFor(much, { groups: [{ name: 'a', validatorIds: exclude, maxShare: 0.5 }] }),
    /within them/,
  )
  assert.match(
    reasonFor(much, { groups: [{ name: 'a', validatorIds: exclude, maxShare: 0.5 }], maxTurnover: 0.2 }),
    /A part stays beyond them/,
  )
  assert.equal(reasonFor(much, { minScore: 101 }), 'There is no validator to move to within your limits.')
  assert.equal(
    reasonFor(much, { minScore: 101, exclude }),
    'Your limits do not allow what you hold, but nothing can move. There is no validator to move to within your limits.',
  )
  assert.match(reasonFor(much, { maxTurnover: 0 }), /^The amount that may move under `maxTurnover` is less/)
  const spread = market.options
    .slice(0, 4)
    .map((option, at) =>
      assumedToken({ stakedTokenId: `t${at}`, validatorId: option.validatorId, principal: much / 4n }),
    )
  const keepLiquid = { amount: 3_000n * TOKEN, withinEpochs: 0 }
  const reasonWith = (maxTurnover: number) =>
    planRebalance(market, { tokens: spread, maxTargets: 5, keepLiquid, maxTurnover }).summary.reason
  assert.match(reasonWith(1), /moving within them/)
  for (const maxTurnover of [0.01, 0.2, 0.299]) assert.match(reasonWith(maxTurnover), /A part stays beyond/)
  assert.match(reasonFor(TOKEN / 2n, {}), /less than the network's smallest stake/)
})

test('where groups have too little room for all stake, none is taken out that has no place to go', () => {
  const limits = fc.record({
    seed: fc.nat(10_000),
    count: fc.integer({ min: 4, max: 12 }),
    held: fc.integer({ min: 1, max: 6 }),
    shares: fc.tuple(fc.constantFrom(0.1, 0.3), fc.constantFrom(0.2, 0.5)),
    maxTargets: fc.integer({ min: 1, max: 4 }),
    liquid: fc.constantFrom(0, 0.1),
  })
  fc.assert(
    fc.property(limits, ({ seed, count, held, shares, maxTargets, liquid }) => {
      const market = marketOf(count, seed, false)
      const tokens = tokensOf(market, held, seed).map((token) => ({ ...token, withdrawEpoch: undefined }))
      const ids = market.options.map(({ validatorId }) => validatorId)
      const groups = shares.map((maxShare, at) => ({
        name: `${at}`,
        validatorIds: new Set(ids.filter((_, index) => index % 2 === at)),
        maxShare,
      }))
      const total = tokens.reduce((sum, token) => sum + tokenValue(token), 0n)
      const keepLiquid = { amount: BigInt(Math.floor(Number(total) * liquid)), withinEpochs: 0 }
      const plan = planRebalance(market, { tokens, maxTargets, groups, keepLiquid })
      const { coins } = after(tokens, plan)
      assert.ok(coins < keepLiquid.amount + 2n * TOKEN, `${coins} of ${total} lie in the wallet`)
      assert.ok(coins >= keepLiquid.amount, `${coins} instead of ${keepLiquid.amount}`)
    }),
    runs(40),
  )
})

test('withdrawn coins that the limits leave no place for are named', () => {
  const market = marketOf(12, 3, false)
  const [validatorId = ''] = market.options.map((option) => option.validatorId)
  const principal = 10_000n * TOKEN
  const tokens = ['staked', 'withdrawn'].map((stakedTokenId) => ({
    ...assumedToken({ stakedTokenId, validatorId, principal }),
    withdrawEpoch: stakedTokenId === 'withdrawn' ? market.epoch.number : undefined,
  }))
  const planWith = (maxShare: number, liquid = 0n) =>
    planRebalance(market, {
      tokens,
      maxTargets: 1,
      maxShare,
      keepLiquid: { amount: liquid, withinEpochs: 0 },
    })
  assert.deepEqual(planWith(1).assumptions, [])
  assert.deepEqual(planWith(0.3).assumptions, [
    '8000000000000 smallest units of what is paid out stay in the wallet: the limits leave no place for them.',
  ])
  assert.deepEqual(planWith(0.25, 4_000n * TOKEN).assumptions, [
    '5999999999986 smallest units of what is paid out stay in the wallet in addition to `keepLiquid`: the limits leave no place for them.',
  ])
})

test('a keepLiquid above the total is refused, whatever its withinEpochs', () => {
  const market = marketOf(12, 3, false)
  const [validatorId = ''] = market.options.map((option) => option.validatorId)
  const tokens = [assumedToken({ stakedTokenId: 't', validatorId, principal: 100n * TOKEN })]
  for (const withinEpochs of [0, 2, 5]) {
    const ask = (amount: bigint) => ({ keepLiquid: { amount, withinEpochs } })
    const plan = (amount: bigint) => planRebalance(market, { tokens, maxTargets: 5, ...ask(amount) })
    assert.throws(() => plan(100n * TOKEN + 1n), /`keepLiquid` exceeds your total.*at most 100000000000\./)
    assert.doesNotThrow(() => plan(100n * TOKEN))
    const allocate = (amount: bigint) =>
      allocator(market)({ amount: 60n * TOKEN, maxValidators: 5, existing, ...ask(amount) })
    const existing = new Map([[validatorId, 40n * TOKEN]])
    assert.throws(() => allocate(100n * TOKEN + 1n), /`keepLiquid` exceeds your total/)
    if (withinEpochs > 0) assert.doesNotThrow(() => allocate(100n * TOKEN))
  }
})

test('if only idle stake is placed, the reason tells why the rest stays, or omits it if there is no rest', () => {
  const market = marketOf(12, 3, false)
  const byStake = market.options.toSorted((a, b) => (a.stake < b.stake ? 1 : -1))
  const [worst] = byStake
  assert.ok(worst)
  const { validatorId } = worst
  const principal = 10_000n * TOKEN
  const idle = {
    ...assumedToken({ stakedTokenId: 'idle', validatorId, principal }),
    withdrawEpoch: market.epoch.number,
  }
  const staked = assumedToken({ stakedTokenId: 'staked', validatorId, principal })
  const reasonOf = (tokens: readonly HeldToken[], maxTurnover: number, horizonEpochs = 20): string =>
    planRebalance(market, { tokens, maxTargets: 5, maxTurnover, horizonEpochs }).summary.reason
  assert.match(reasonOf([idle, staked], 1), /^Moving lifts/)
  assert.match(
    reasonOf([idle, staked], 0),
    /^What is withdrawn.* The rest stays\. The amount that may move under `maxTurnover`/,
  )
  assert.match(reasonOf([idle, staked], 0.0001), /The rest stays\. The best moves gain 0\.00\d/)
  assert.match(
    reasonOf([idle, staked], 1, 2),
    /The rest stays\. Stake that moves now earns nothing elsewhere/,
  )
  assert.match(
    reasonOf([idle], 0),
    /^What is withdrawn earns nothing: staking it lifts the yield from \S+ to \S+%\.$/,
  )
})

test('epochs in which coins wait to be staked together with later ones delay the break-even', () => {
  const market = marketOf(12, 1, false)
  const { number } = market.epoch
  const [validatorId = ''] = market.options.map((option) => option.validatorId)
  const asked = (stakedTokenId: string, withdrawEpoch: number, units: bigint): HeldToken => ({
    ...assumedToken({ stakedTokenId, validatorId, principal: units * 1_000n * TOKEN }),
    withdrawEpoch,
  })
  const tokens = [asked('first', number, 9n), asked('last', number + 2, 1n)]
  const [waiting, prompt] = [{ principalShare: 0.5 }, {}].map((policy) =>
    planRebalance(market, { tokens, maxTargets: 10, maxShare: 0.5, ...policy }),
  )
  assert.deepEqual(
    [waiting, prompt].map((plan) => plan?.timeline.filter(({ restaked }) => restaked > 0n).length),
    [1, 2],
  )
  // Staked at once, 90% lose no epoch and 10% lose two; staked together, all coins lose two.
  assert.equal(waiting?.summary.breakEvenEpochs, 1 + 2)
  assert.equal(prompt?.summary.breakEvenEpochs, 1 + Math.ceil(0.1 * 2))
})

/**
 * Simulates the calls in order. Returns what each moves, and the number of validators with stake before and after
 * it.
 */
function simulateCalls(tokens: readonly HeldToken[], { calls }: RebalancePlan) {
  const held = new Map(tokens.map((token) => [token.stakedTokenId, { ...token }]))
  const splitOff = new Map<number, bigint>()
  const staked = new Map<string, bigint>()
  const add = (id: string, amount: bigint) => {
    const sum = (staked.get(id) ?? 0n) + amount
    if (sum > 0n) staked.set(id, sum)
    else staked.delete(id)
  }
  for (const { withdrawEpoch, validatorId, principal } of tokens)
    if (withdrawEpoch === undefined) add(validatorId, principal)
  return calls.map(({ call, order }) => {
    const before = staked.size
    let moved = 0n
    if (call.kind === 'stake' || call.kind === 'stakes')
      for (const { validatorId, amount } of call.kind === 'stake' ? [call] : call.stakes) {
        add(validatorId, amount)
        moved += amount
      }
    if (call.kind === 'unstake') {
      const token = held.get(call.stakedTokenId) ?? assert.fail('a token that nobody has')
      moved = call.amount ?? token.principal
      if (call.amount !== undefined) token.principal -= moved
      assert(moved >= TOKEN && token.principal >= TOKEN, 'neither a part nor what is left is too small')
      splitOff.set(order, moved)
      add(token.validatorId, -moved)
    }
    if (call.kind === 'withdraw')
      moved =
        (call.token.kind === 'known'
          ? held.get(call.token.stakedTokenId)?.principal
          : splitOff.get(call.token.byCall)) ?? assert.fail('a token that nobody has')
    return { kind: call.kind, moved, before, after: staked.size }
  })
}

test('each call of a plan keeps the largest transaction and the least number of validators', () => {
  const [cut, kept] = [new Set<string>(), new Set<string>()]
  fc.assert(
    fc.property(
      cases,
      fc.record({ most: fc.integer({ min: 11, max: 14 }), fewest: fc.nat(5), share: fc.boolean() }),
      ({ seed, count, held, byStake, limits: { maxTurnover } }, { most, fewest, share }) => {
        const market = marketOf(count, seed, byStake)
        const tokens = tokensOf(market, held, seed)
        const perTx = 3n * 10n ** BigInt(most)
        const free = { tokens, maxTargets: 10, maxTurnover }
        const under = {
          mostStaked: perTx,
          mostRequested: perTx,
          mostWithdrawn: perTx,
          ...(fewest > 0 && { fewest }),
          ...(share && { maxShare: 0.5, principalShare: 0.5 }),
        }
        for (const { kind, moved, before, after: left } of simulateCalls(
          tokens,
          planRebalance(market, { ...free, ...under }),
        )) {
          assert(moved <= perTx, `${kind} of ${moved}`)
          if (kind === 'withdraw') continue
          assert(left >= fewest || left > before || left === 0, `${kind} leaves ${left} of ${before}`)
        }
        for (const { kind, moved, before, after: left } of simulateCalls(
          tokens,
          planRebalance(market, free),
        )) {
          if (moved > perTx) cut.add(kind)
          if (kind !== 'withdraw' && left < fewest && left <= before && left > 0) kept.add(kind)
        }
      },
    ),
    runs(150),
  )
  assert.deepEqual(
    [cut.size, kept.size],
    [3, 2],
    'plans without these limits break them by every kind of call',
  )
})

test('with fewer validators than the policy demands nothing is unstaked, and the reason says what can be done', () => {
  const market = marketOf(12, 4, false)
  const worst = market.options.toSorted(
    (a, b) => a.efficiency / Number(a.stake) - b.efficiency / Number(b.stake),
  )[0]
  const held = assumedToken({
    stakedTokenId: 'a',
    validatorId: worst?.validatorId ?? '',
    principal: 1_000n * TOKEN,
  })
  const idle = { ...held, stakedTokenId: 'b', withdrawEpoch: market.epoch.number }
  const why =
    /only all of it in one transaction\. A plan does not do that.* take all out in one batch and allocate it again\.$/
  for (const tokens of [[held], [held, idle]]) {
    const { steps, summary } = planRebalance(market, { tokens, maxTargets: 5, fewest: 3 })
    assert.deepEqual(
      new Set(steps.map(({ action }) => action)),
      new Set(tokens.includes(idle) ? ['stake'] : []),
    )
    assert.match(summary.reason, why)
  }
  const { steps } = planRebalance(market, { tokens: [held], maxTargets: 5 })
  assert.ok(
    steps.some(({ action }) => action === 'unstake'),
    'without the policy it would leave',
  )
})

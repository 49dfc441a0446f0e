import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import {
  type SampleValidator,
  sampleNetwork,
  seededRandom,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { scoreValidators } from '../scoring/score.ts'
import { type StakeOptions, stakeOptionsOf } from '../stake-options.ts'
import { checkPositions } from './check-positions.ts'
import { assumedToken, type HeldToken, type Position } from './held-token.ts'
import { planRebalance, type RebalancePlan, type RebalanceRequest } from './plan-rebalance.ts'

type Options = NonNullable<Parameters<typeof sampleNetwork>[1]>
const EQUAL_PAY: Options = {}
const BY_STAKE: Options = { network: 'sui', shape: { kind: 'proportional', capShare: 0.1 } }
const WALRUS: Options = {
  network: 'walrus',
  shape: { kind: 'proportional', capShare: 0.1 },
  nextCommitteeSelected: true,
}

function marketOf(validators: readonly SampleValidator[], options: Options = EQUAL_PAY): StakeOptions {
  const { snapshot, records } = sampleNetwork(
    validators.map((one) => ({ firstEpoch: 92, ...one })),
    options,
  )
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

const stepSum = ({ steps }: RebalancePlan, action: 'unstake' | 'stake'): bigint =>
  steps.filter((step) => step.action === action).reduce((sum, { amount }) => sum + amount, 0n)

const validatorsOf = ({ steps }: RebalancePlan, action: 'unstake' | 'stake'): string[] => [
  ...new Set(steps.filter((step) => step.action === action).map(({ validatorId }) => validatorId)),
]

/** Staked tokens with some of the validators, from two TOKEN to a large part of a pool. */
function tokensFor(validators: readonly SampleValidator[], count: number, seed: number): HeldToken[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) =>
    assumedToken({
      stakedTokenId: `token-${index}`,
      validatorId: validators[Math.floor(random() ** 2 * validators.length)]?.id ?? '',
      principal: BigInt(Math.floor(10 ** (9 + 7 * random()))) + 10n ** 9n,
    }),
  )
}

const cases = fc.record({
  seed: fc.nat(10_000),
  count: fc.integer({ min: 1, max: 30 }),
  held: fc.integer({ min: 1, max: 50 }),
  maxTargets: fc.integer({ min: 1, max: 10 }),
  options: fc.constantFrom(EQUAL_PAY, BY_STAKE, WALRUS),
  riskAversion: fc.constantFrom(0, 10),
})

test('a plan stakes exactly what it unstakes, within every limit', () => {
  fc.assert(
    fc.property(cases, ({ seed, count, held, maxTargets, options, riskAversion }) => {
      const validators = variedValidators(count, seed)
      const tokens = tokensFor(validators, held, seed)
      const plan = planRebalance(marketOf(validators, options), { tokens, maxTargets, riskAversion })
      const { steps, summary } = plan
      assert.equal(stepSum(plan, 'unstake'), stepSum(plan, 'stake'))
      const [sources, targets] = [validatorsOf(plan, 'unstake'), validatorsOf(plan, 'stake')]
      assert.ok(targets.length <= maxTargets)
      assert.deepEqual(
        sources.filter((id) => targets.includes(id)),
        [],
      )
      assert.deepEqual(
        steps.map(({ order }) => order),
        steps.map((_, index) => index + 1),
      )
      assert.ok(
        steps.findLastIndex(({ action }) => action === 'unstake') <=
          steps.findIndex(({ action }) => action === 'stake'),
      )
      checkTokens(plan, tokens)
      if (summary.recommendation === 'hold') {
        assert.deepEqual(steps, [])
        assert.equal(summary.estimatedEpochsToComplete, 0)
        assert.equal(summary.breakEvenEpochs, undefined)
        assert.equal(summary.projectedWeightedApy, summary.currentWeightedApy)
      } else {
        assert.ok(summary.projectedWeightedApy > summary.currentWeightedApy)
        assert.ok((summary.breakEvenEpochs ?? Infinity) <= summary.horizonEpochs)
        assert.ok(summary.estimatedEpochsToComplete >= 1)
      }
    }),
    runs(400),
  )
})

/** Asserts that every part is at least the smallest stake, and that at most one token of a validator is split. */
function checkTokens({ steps }: RebalancePlan, tokens: readonly HeldToken[]): void {
  const splits = new Map<string, number>()
  const seen = new Set<string>()
  for (const { action, amount, stakedTokenId, validatorId } of steps) {
    assert.ok(amount >= TOKEN)
    if (action === 'stake') continue
    const token = tokens.find((held) => held.stakedTokenId === stakedTokenId)
    assert.ok(token && token.validatorId === validatorId && !seen.has(token.stakedTokenId))
    seen.add(token.stakedTokenId)
    const left = token.principal - amount
    assert.ok(left === 0n || left >= TOKEN)
    if (left > 0n) splits.set(validatorId, (splits.get(validatorId) ?? 0) + 1)
  }
  for (const count of splits.values()) assert.equal(count, 1)
}

test('after a plan is executed, the next plan holds', () => {
  fc.assert(
    fc.property(cases, ({ seed, count, held, maxTargets, options, riskAversion }) => {
      const validators = variedValidators(count, seed)
      const market = marketOf(validators, options)
      const tokens = tokensFor(validators, held, seed)
      const plan = planRebalance(market, { tokens, maxTargets, riskAversion })
      if (plan.steps.length === 0) return
      const after = execute(market, tokens, plan)
      const again = planRebalance(after.market, { tokens: after.tokens, maxTargets, riskAversion })
      // If `maxTargets` limited the first plan, further targets may still gain.
      if (validatorsOf(plan, 'stake').length < maxTargets) assert.deepEqual(again.steps, [])
      assert.ok(Math.abs(again.summary.currentWeightedApy - plan.summary.projectedWeightedApy) < 1e-6)
    }),
    runs(200),
  )
})

function execute(market: StakeOptions, held: readonly HeldToken[], { steps }: RebalancePlan) {
  const stakes = new Map(market.options.map(({ validatorId, stake }) => [validatorId, stake]))
  const tokens = new Map(held.map((token) => [token.stakedTokenId, token]))
  for (const { action, validatorId, amount, stakedTokenId, order } of steps) {
    const sign = action === 'stake' ? 1n : -1n
    stakes.set(validatorId, (stakes.get(validatorId) ?? 0n) + sign * amount)
    const id = stakedTokenId ?? `new-${order}`
    const before = tokens.get(id)?.principal ?? 0n
    tokens.set(id, assumedToken({ stakedTokenId: id, validatorId, principal: before + sign * amount }))
  }
  return {
    market: {
      ...market,
      options: market.options.map((option) => ({ ...option, stake: stakes.get(option.validatorId) ?? 0n })),
    },
    tokens: [...tokens.values()].filter(({ principal }) => principal > 0n),
  }
}

/** Brute force over all splits into `parts` equal parts, valued by the rules of the chain instead of our curves. */
function bruteForce(
  validators: readonly Required<Pick<SampleValidator, 'id' | 'stake'>>[],
  efficiency: (id: string) => number,
  held: ReadonlyMap<string, number>,
  rules: {
    readonly options: Options
    readonly arrival: number
    readonly maxTargets: number
    readonly parts: number
  },
): number {
  const total = [...held.values()].reduce((sum, amount) => sum + amount, 0)
  const network = validators.reduce((sum, { stake }) => sum + stake, 0)
  const yearly = 0.05 * network
  const reward = ({ id, stake }: { readonly id: string; readonly stake: number }, mine: number): number => {
    if (mine <= 0) return 0
    const pool = stake - (held.get(id) ?? 0) + mine
    const pot =
      rules.options.shape?.kind === 'proportional'
        ? (yearly * Math.min(pool, rules.options.shape.capShare * network)) / network
        : yearly / validators.length
    return (efficiency(id) * pot * mine) / pool
  }
  const worth = (shares: readonly number[]): number => {
    let sum = 0
    let targets = 0
    for (const [index, validator] of validators.entries()) {
      const mine = ((shares[index] ?? 0) * total) / rules.parts
      const before = held.get(validator.id) ?? 0
      const kept = Math.min(mine, before)
      if (mine > before * (1 + 1e-9)) targets++
      sum += reward(validator, kept) + rules.arrival * (reward(validator, mine) - reward(validator, kept))
    }
    return targets <= rules.maxTargets ? sum : Number.NEGATIVE_INFINITY
  }
  const search = (shares: readonly number[], left: number): number => {
    if (shares.length === validators.length - 1) return worth([...shares, left])
    let best = Number.NEGATIVE_INFINITY
    for (let part = 0; part <= left; part++) best = Math.max(best, search([...shares, part], left - part))
    return best
  }
  return search([], rules.parts)
}

for (const [name, options, isPending] of [
  ['equal pay', EQUAL_PAY, false],
  ['pay by stake', BY_STAKE, false],
  ['equal pay, pending stake', EQUAL_PAY, true],
  ['pay by stake, pending stake', BY_STAKE, true],
] as const) {
  test(`no redistribution earns more than the plan (brute force, ${name})`, () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 3 }), (seed, maxTargets) => {
        const random = seededRandom(seed)
        const validators = Array.from({ length: 4 }, (_, index) => ({
          id: `v${index}`,
          stake: Math.round(1e6 * (0.5 + 2 * random())),
          commissionBps: Math.round(1_500 * random()),
        }))
        const held = new Map(
          validators
            .slice(0, 1 + Math.floor(2 * random()))
            .map(({ id }) => [id, 40_000 * Math.ceil(5 * random())]),
        )
        const market = marketOf(validators, options)
        const tokens = [...held].map(([validatorId, amount]) =>
          isPending ? pendingIn(market, at(validatorId, amount)) : at(validatorId, amount),
        )
        const plan = planRebalance(market, { tokens, maxTargets, riskAversion: 0 })
        const efficiency = (id: string) =>
          market.options.find(({ validatorId }) => validatorId === id)?.efficiency ?? 0
        // Of 60 epochs one is lost; of 20, with a two-step withdrawal, one is still earned at the old place and one
        // is lost. Pending stake loses none.
        const arrival = isPending ? 1 : options === BY_STAKE ? 59 / 60 : 18 / 19
        const total = [...held.values()].reduce((sum, amount) => sum + amount, 0)
        const best =
          (100 * bruteForce(validators, efficiency, held, { options, arrival, maxTargets, parts: 20 })) /
          total
        const { value, bound } = plan.certificate
        assert.ok(bound >= best - 1e-7, `the bound ${bound} is below ${best}`)
        // A plan leaves out moves that gain less than 2 bps, and steps that gain less than 0.1 bps.
        assert.ok(value >= best - 0.0225, `the plan is worth ${value}, the best ${best}`)
      }),
      // With pay by stake, seed 53,771 has a target with little room and a stake whose last moved unit gains nothing.
      { ...runs(1_000), examples: [[53_771, 1]] },
    )
  })
}

const POOLS: readonly SampleValidator[] = [
  { id: 'poor', stake: 40_000_000, commissionBps: 1_000 },
  { id: 'rich', stake: 20_000_000, commissionBps: 0 },
  { id: 'same', stake: 20_300_000, commissionBps: 0 },
  { id: 'other', stake: 60_000_000, commissionBps: 300 },
]
/** For pay by stake, where only the commission of a pool matters, not its size. */
const DEARER = POOLS.map((pool) => (pool.id === 'same' ? { ...pool, commissionBps: 100 } : pool))

/** The token as if it was staked in this epoch. */
const pendingIn = ({ epoch }: StakeOptions, token: HeldToken): HeldToken => ({
  ...token,
  activationEpoch: epoch.number + 1,
})

const at = (validatorId: string, tokens: number, stakedTokenId = `t-${validatorId}`): HeldToken =>
  assumedToken({ stakedTokenId, validatorId, principal: BigInt(tokens) * TOKEN })

test('a plan follows the epoch rules of its network: when funds come back, and when it is complete', () => {
  const planOn = (options: Options) =>
    planRebalance(marketOf(POOLS, options), { tokens: [at('poor', 1_000)], maxTargets: 1 })
  const before = planOn({})
  assert.equal(before.summary.recommendation, 'move')
  assert.equal(before.summary.estimatedEpochsToComplete, 2)
  assert.ok(before.steps.every(({ requiresEpochWait }) => requiresEpochWait))

  const selected = planRebalance(
    marketOf(
      POOLS.map((pool) => ({ ...pool, inNextCommittee: true })),
      { nextCommitteeSelected: true },
    ),
    { tokens: [at('poor', 1_000)], maxTargets: 1 },
  )
  assert.equal(selected.summary.estimatedEpochsToComplete, 3)

  const sui = planOn(BY_STAKE)
  assert.equal(sui.summary.estimatedEpochsToComplete, 1)
  assert.ok(sui.steps.length > 0 && sui.steps.every(({ requiresEpochWait }) => !requiresEpochWait))
})

test('stake with a validator outside the committee comes back at once, and is unstaked first', () => {
  const pools = [...POOLS, { id: 'gone', stake: 5_000, status: 'inactive', inNextCommittee: false } as const]
  const plan = planRebalance(marketOf(pools), {
    tokens: [at('poor', 1_000), at('gone', 1_000)],
    maxTargets: 2,
  })
  const [first] = plan.steps
  assert.deepEqual([first?.action, first?.validatorId, first?.requiresEpochWait], ['unstake', 'gone', false])
  const alone = planRebalance(marketOf(pools), { tokens: [at('gone', 1_000)], maxTargets: 2 })
  assert.equal(alone.summary.currentWeightedApy, 0)
  assert.equal(alone.summary.estimatedEpochsToComplete, 1)
  assert.ok(alone.steps.every(({ requiresEpochWait }) => !requiresEpochWait))
})

test('a slightly better validator: hold, but move with a longer horizon', () => {
  const market = marketOf(POOLS)
  const request = { tokens: [at('same', 1_000)], maxTargets: 1, riskAversion: 0 }
  const near = planRebalance(market, request)
  assert.equal(near.summary.recommendation, 'hold')
  assert.match(near.summary.reason, /epochs/)
  const far = planRebalance(market, { ...request, horizonEpochs: 3_650 })
  assert.equal(far.summary.recommendation, 'move')
})

test('stake moves from a gain of 0.02 percentage points a year on, after the epoch that it loses on its way', () => {
  // Of 20 epochs one is lost, at the new rate of 5% a year: the gain is 5% · (commission − 1 / 20).
  const planFrom = (commissionBps: number) => {
    const validators = [
      { id: 'held', stake: 30_000_000, commissionBps },
      { id: 'free', stake: 30_000_000 },
    ]
    const shape = { kind: 'proportional', capShare: 1 } as const
    const market = marketOf(validators, { network: 'sui', shape, yearlyRate: 0.05 })
    const token = assumedToken({ stakedTokenId: 't', validatorId: 'held', principal: 100n * TOKEN })
    const { summary } = planRebalance(market, {
      tokens: [token],
      maxTargets: 1,
      riskAversion: 0,
      horizonEpochs: 20,
    })
    return summary
  }
  const [below, above] = [planFrom(538), planFrom(542)]
  assert.equal(below.recommendation, 'hold')
  assert.match(below.reason, /^The best moves gain 0\.019 percentage points a year after their cost/)
  assert.equal(above.recommendation, 'move')
  // 542 bps more, and one epoch at the new rate to earn back.
  assert.equal(above.breakEvenEpochs, Math.ceil(1 / 0.0542))
})

test('a horizon that ends before moved stake arrives: only idle or excluded stake moves, and the reason names the horizon', () => {
  const market = marketOf(POOLS)
  for (const horizonEpochs of [1, 2]) {
    const request = { maxTargets: 1, riskAversion: 0, horizonEpochs }
    const { summary, steps } = planRebalance(market, { ...request, tokens: [at('poor', 1_000)] })
    assert.deepEqual([summary.horizonEpochs, summary.recommendation, steps], [horizonEpochs, 'hold', []])
    assert.match(summary.reason, /within \d epochs?: it arrives after \d epochs?\..*`horizonEpochs`/)
    const idle = { ...at('poor', 1_000), withdrawEpoch: market.epoch.number }
    const exclude = new Set(['poor'])
    for (const other of [{ tokens: [idle] }, { tokens: [at('poor', 1_000)], exclude }]) {
      const { summary: placed } = planRebalance(market, { ...request, ...other })
      assert(Number.isFinite(placed.projectedWeightedApy) && Number.isFinite(placed.currentWeightedApy))
      assert.doesNotMatch(placed.reason, /NaN|Infinity/)
      assert.equal(placed.horizonEpochs, horizonEpochs)
      assert.equal(placed.recommendation, 'move')
    }
    const pending = planRebalance(market, { ...request, tokens: [pendingIn(market, at('poor', 1_000))] })
    assert.equal(pending.summary.recommendation, horizonEpochs === 1 ? 'hold' : 'move')
  }
})

test('pending stake loses no epoch: it moves for a slightly better validator and breaks even at once', () => {
  for (const options of [EQUAL_PAY, BY_STAKE]) {
    const market = marketOf(options === BY_STAKE ? DEARER : POOLS, options)
    const request = { maxTargets: 1, riskAversion: 0, horizonEpochs: options === BY_STAKE ? 8 : 20 }
    const active = planRebalance(market, { ...request, tokens: [at('same', 1_000)] })
    assert.equal(active.summary.recommendation, 'hold')
    const pending = planRebalance(market, { ...request, tokens: [pendingIn(market, at('same', 1_000))] })
    assert.equal(pending.summary.recommendation, 'move')
    assert.equal(pending.summary.breakEvenEpochs, 1)
    assert.match(pending.summary.reason, /pays for itself after 1 epoch\./)
    assert.deepEqual(
      pending.timeline.map(({ epoch, left }) => [epoch, left]),
      [[market.epoch.number, 0n]],
    )
    const best = planRebalance(market, { ...request, tokens: [pendingIn(market, at('rich', 1_000))] })
    assert.deepEqual([best.summary.recommendation, best.certificate.gap], ['hold', 0])
    assert.match(best.summary.reason, /costs? nothing.*gain nothing/)
  }
})

test('of one holding, the pending stake moves while the active stake stays because moving it does not pay', () => {
  const market = marketOf(POOLS)
  const tokens = [at('same', 1_000, 'active'), pendingIn(market, at('same', 3_000, 'pending'))]
  const { steps, certificate, summary } = planRebalance(market, { tokens, maxTargets: 1, riskAversion: 0 })
  assert.deepEqual(
    steps.map(({ action, stakedTokenId, amount }) => [action, stakedTokenId, amount]),
    [
      ['unstake', 'pending', 3_000n * TOKEN],
      ['stake', undefined, 3_000n * TOKEN],
    ],
  )
  assert.equal(summary.breakEvenEpochs, 1)
  assert.ok(certificate.gap < 1e-9)
})

test('a gain of less than 2 bps on the whole stake: hold', () => {
  const planFor = (poor: number) =>
    planRebalance(marketOf(POOLS), {
      tokens: [at('rich', 10_000), at('poor', poor)],
      maxTargets: 10,
      riskAversion: 0,
    })
  const little = planFor(20)
  assert.deepEqual(little.steps, [])
  assert.match(little.summary.reason, /gain 0\.0\d\d percentage points a year .* too little to move for/)
  assert.equal(planFor(200).summary.recommendation, 'move')
})

test('break-even is d + L · arriving rewards / gained rewards', () => {
  const market = marketOf(POOLS)
  const { summary } = planRebalance(market, { tokens: [at('poor', 100)], maxTargets: 1, riskAversion: 0 })
  const rate = (apy: number): number => 365 * ((1 + apy / 100) ** (1 / 365) - 1)
  const [from, to] = [rate(summary.currentWeightedApy), rate(summary.projectedWeightedApy)]
  assert.equal(summary.breakEvenEpochs, Math.ceil(1 + to / (to - from)))
})

test('an unstake that would push a validator out of the set is reduced, or takes everything', () => {
  const pools = [
    { id: 'mine', stake: 1_000_000 },
    ...Array.from({ length: 10 }, (_, index) => ({ id: `v${index}`, stake: 1_500_000 })),
  ]
  const planWith = (joining: bigint, commissionBps = 0, limits: Partial<RebalanceRequest> = {}) =>
    planRebalance(
      marketOf(
        pools.map((pool) => (pool.id === 'mine' ? { ...pool, commissionBps } : pool)),
        {
          minValidatorStake: joining * TOKEN,
        },
      ),
      { tokens: [at('mine', 500_000)], maxTargets: 10, riskAversion: 0, ...limits },
    )
  assert.ok(stepSum(planWith(500_000n), 'unstake') > 40_000n * TOKEN, 'it would take more')
  assert.equal(stepSum(planWith(960_000n), 'unstake'), 40_000n * TOKEN)
  assert.equal(stepSum(planWith(960_000n, 9_000), 'unstake'), 500_000n * TOKEN)
  // Placing withdrawn coins is no turnover, so a split may take more from a validator than may leave it.
  const withdrawn = { ...at('mine', 300_000), stakedTokenId: 'withdrawn', withdrawEpoch: 0 }
  const tokens = [at('mine', 500_000), withdrawn]
  const limited = planWith(960_000n, 10_000, { tokens, maxTurnover: 0.5, riskAversion: 100 })
  assert.equal(stepSum(limited, 'unstake'), 40_000n * TOKEN)
})

test('under maxTurnover the least rewarding stake leaves whole, whatever the rounding of a part that leaves beside it', () => {
  const pools = [
    { id: 'a-poor', stake: 1_000_000, commissionBps: 5_000 },
    { id: 'b-worst', stake: 1_000_000, commissionBps: 9_000 },
    ...Array.from({ length: 10 }, (_, index) => ({ id: `v${index}`, stake: 1_500_000 })),
  ]
  for (const rewards of [0n, 7_777_777_777n, 123_456_789_123n]) {
    const tokens = [{ ...at('a-poor', 1_000), rewards }, at('b-worst', 1_000)]
    const plan = planRebalance(marketOf(pools), { tokens, maxTargets: 10, maxTurnover: 0.7 })
    const left = plan.steps.filter(({ validatorId }) => validatorId === 'b-worst')
    assert.deepEqual(
      left.map(({ amount }) => amount),
      [1_000n * TOKEN],
    )
  }
})

test('pay by stake: stake moves from a high commission to low ones, spread by the risk term', () => {
  const pools = [
    { id: 'dear', stake: 50_000_000, commissionBps: 2_000 },
    ...Array.from({ length: 12 }, (_, index) => ({
      id: `fair-${index}`,
      stake: 50_000_000,
      commissionBps: 100,
    })),
  ]
  const request = { tokens: [at('dear', 10_000)], maxTargets: 4 }
  const plan = planRebalance(marketOf(pools, BY_STAKE), request)
  assert.equal(stepSum(plan, 'unstake'), 10_000n * TOKEN)
  assert.deepEqual(validatorsOf(plan, 'stake').length, 4)
  const careless = planRebalance(marketOf(pools, BY_STAKE), { ...request, riskAversion: 0 })
  assert.equal(validatorsOf(careless, 'stake').length, 1, 'equal rates: one step is enough')
})

test('pay by stake: stake above the cap earns nothing and moves away', () => {
  const pools = [
    { id: 'huge', stake: 300_000_000, commissionBps: 0 },
    ...Array.from({ length: 12 }, (_, index) => ({
      id: `fair-${index}`,
      stake: 30_000_000,
      commissionBps: 0,
    })),
  ]
  const plan = planRebalance(marketOf(pools, BY_STAKE), { tokens: [at('huge', 10_000)], maxTargets: 2 })
  assert.equal(plan.summary.recommendation, 'move')
  assert.deepEqual(validatorsOf(plan, 'unstake'), ['huge'])
})

test('bad positions are refused, and the refusal names all of them', () => {
  const positions: Position[] = [
    at('poor', 5, 'a'),
    at('nobody', 5, 'b'),
    { ...at('rich', 5, 'a'), principal: 0n },
    at('same', 60, 'c'),
    at('same', 41, 'd'),
  ]
  assert.throws(
    () =>
      checkPositions(positions, (id) => (POOLS.some((pool) => pool.id === id) ? 100n * TOKEN : undefined)),
    (fault: { code?: string; details?: readonly { field: string }[] }) => {
      assert.equal(fault.code, 'invalid_input')
      assert.deepEqual(
        fault.details?.map(({ field }) => field),
        [
          'positions[1].validatorId',
          'positions[2].stakedTokenId',
          'positions[2].principal',
          'positions[4].principal',
        ],
      )
      return true
    },
  )
})

test('only visible, eligible and not excluded validators receive stake', () => {
  const market = marketOf(POOLS)
  const request = { tokens: [at('poor', 1_000)], maxTargets: 3 }
  const best = validatorsOf(planRebalance(market, request), 'stake')
  const without = planRebalance(market, { ...request, exclude: new Set(best) })
  assert.deepEqual(
    validatorsOf(without, 'stake').filter((id) => best.includes(id)),
    [],
  )
  const top = market.options.find(({ rank }) => rank === 0)?.validatorId
  assert.deepEqual(validatorsOf(planRebalance(market, { ...request, visible: 1 }), 'stake'), [top])
})

test('a network that pays nothing: hold', () => {
  const { snapshot, records } = sampleNetwork(POOLS)
  const unpaid = { ...snapshot, rewards: { ...snapshot.rewards, perEpoch: 0n } }
  const market = stakeOptionsOf(unpaid, scoreValidators(unpaid, records))
  const { summary } = planRebalance(market, { tokens: [at('poor', 1_000)], maxTargets: 3 })
  assert.equal(summary.recommendation, 'hold')
  assert.equal(summary.projectedWeightedApy, 0)
})

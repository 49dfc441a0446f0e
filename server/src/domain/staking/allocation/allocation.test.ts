import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allocatorFor, groupsOfThreeKinds } from '../../../../test/support/planning/sample-allocator.ts'
import { runs, wholeRuns } from '../../../../test/support/repetitions.ts'
import {
  type SampleValidator,
  sampleNetwork,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { Fault } from '../../../fault.ts'
import { MAX_AMOUNT } from '../../amount.ts'
import { strategiesIn } from '../compare-strategies.ts'
import { scoreValidators } from '../scoring/score.ts'
import { gainOf } from '../solver/reward-curve.ts'
import { shareOf } from '../stake-limits.ts'
import { stakeOptionsOf } from '../stake-options.ts'
import { yieldOfWhole } from '../staked-part.ts'
import { type Allocation, allocator } from './allocation.ts'
import { prepareField } from './allocation-field.ts'
import { type AllocationRequest, termsOf } from './allocation-terms.ts'

type Options = NonNullable<Parameters<typeof sampleNetwork>[1]>
const SHAPES: readonly Options[] = [{}, { shape: { kind: 'proportional', capShare: 0.1 } }]

const amountOf = (allocation: Allocation, id: string): bigint =>
  allocation.allocations.find(({ validatorId }) => validatorId === id)?.amount ?? 0n

const networks = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  seed: fc.nat(10_000),
  options: fc.constantFrom(...SHAPES),
})
const requests = fc.record({
  amount: fc.oneof(
    fc.bigInt({ min: TOKEN, max: 10n ** 18n }),
    fc.double({ min: 0, max: 9.9, noNaN: true }).map((power) => BigInt(Math.floor(10 ** power * 1e9))),
    fc.constantFrom(TOKEN, 2n * TOKEN - 1n, 2n * TOKEN, 2n * TOKEN + 1n, MAX_AMOUNT),
  ),
  maxValidators: fc.integer({ min: 1, max: 50 }),
  riskAversion: fc.constantFrom(0, 10, 1_000),
})

test('the whole amount is allocated within all limits, and the certificate closes the gap', () => {
  fc.assert(
    fc.property(networks, requests, ({ count, seed, options }, request) => {
      const { allocations, certificate } = allocatorFor(variedValidators(count, seed), options)(request)
      assert.equal(
        allocations.reduce((sum, { amount }) => sum + amount, 0n),
        request.amount,
      )
      assert.ok(allocations.length >= 1 && allocations.length <= request.maxValidators)
      assert.equal(new Set(allocations.map(({ validatorId }) => validatorId)).size, allocations.length)
      for (const { amount } of allocations) assert.ok(amount >= TOKEN)
      assert.ok(Math.abs(allocations.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9)
      assert.deepEqual(
        allocations,
        allocations.toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount)),
      )
      assert.ok(certificate.value <= certificate.bound)
      assert.ok(certificate.gap <= 1e-9, `gap ${certificate.gap}`)
    }),
    runs(300),
  )
})

test('with 150 validators the optimum is proven for every amount, count and risk aversion', () => {
  for (const options of SHAPES) {
    for (const seed of [1, 2, 3, 4, 5]) {
      const allocate = allocatorFor(variedValidators(150, seed), options)
      for (const tokens of [1n, 3n, 10_000n, 1_000_000n, 30_000_000n, 300_000_000n]) {
        for (const maxValidators of [1, 5, 20]) {
          for (const riskAversion of [0, 10, 300]) {
            const { certificate } = allocate({ amount: tokens * TOKEN, maxValidators, riskAversion })
            assert.ok(certificate.gap <= 1e-9, `${certificate.gap} after ${certificate.nodes} nodes`)
          }
        }
      }
    }
  }
})

test('an amount that just fits its limits is proven without a long search', () => {
  for (const options of SHAPES) {
    const allocate = allocatorFor(variedValidators(150, 7), options)
    for (const maxValidators of [10, 25, 50]) {
      for (const spare of [0n, 1n, TOKEN / 3n]) {
        for (const room of [1.0001, 1.001, 1.03]) {
          for (const riskAversion of [0, 10]) {
            const amount = BigInt(maxValidators) * TOKEN + spare
            const request = { amount, maxValidators, maxShare: room / maxValidators, riskAversion }
            const { gap, nodes } = allocate(request).certificate
            assert.ok(gap <= 1e-9 && nodes <= 10, `${nodes} nodes, gap ${gap}: ${room}, ${spare}`)
          }
        }
      }
    }
  }
})

test('neither one validator, nor equal parts, nor parts by stake earn more', () => {
  fc.assert(
    fc.property(networks, requests, ({ count, seed, options }, request) => {
      const allocate = allocatorFor(variedValidators(count, seed), options)
      const best = allocate(request).certificate
      const one = allocate({ ...request, maxValidators: 1 }).certificate
      assert.ok(best.value >= one.value - 1e-9 * Math.abs(one.value))
      const parts = Math.min(request.maxValidators, count)
      if (request.amount < BigInt(parts) * TOKEN) return
      // With a share cap of 1/n the only split among n is the equal one.
      const equal = allocate({ ...request, maxValidators: parts, maxShare: 1 / parts }).certificate
      assert.ok(best.value >= equal.value - 1e-9 * Math.abs(equal.value))
      const value = valueByStake({ count, seed, options }, request, parts)
      if (value > Number.NEGATIVE_INFINITY)
        assert.ok(best.value >= value - 1e-9 * Math.abs(value), `${best.value} below ${value} by stake`)
    }),
    runs(200),
  )
})

/** Percent per year after the price of risk, of parts by stake with the largest validators. */
function valueByStake(
  { count, seed, options }: { readonly count: number; readonly seed: number; readonly options: Options },
  request: AllocationRequest,
  parts: number,
): number {
  const validators = variedValidators(count, seed).map((one) => ({ ...one, firstEpoch: 92 }))
  const { snapshot, records } = sampleNetwork(validators, options)
  const market = stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
  const terms = termsOf(market, request)
  const largest = prepareField(market)(terms)
    .places.toSorted((a, b) => Number(b.option.stake - a.option.stake))
    .slice(0, parts)
  const whole = largest.reduce((sum, { option }) => sum + Number(option.stake), 0)
  const amounts = largest.map(({ option }) => (Number(request.amount) * Number(option.stake)) / whole)
  if (amounts.some((amount) => amount < Number(TOKEN))) return Number.NEGATIVE_INFINITY
  const gains = largest.map(({ curve }, at) => gainOf(curve, terms.risk, amounts[at] ?? 0))
  return (100 * gains.reduce((sum, gain) => sum + gain, 0)) / Number(request.amount)
}

test('a share cap is kept to the unit, even if it leaves only one possible split', () => {
  fc.assert(
    fc.property(
      networks,
      requests,
      fc.integer({ min: 2, max: 6 }),
      ({ count, seed, options }, request, parts) => {
        fc.pre(count >= parts && request.amount >= BigInt(parts) * TOKEN)
        const allocate = allocatorFor(variedValidators(count, seed), options)
        const { allocations } = allocate({ ...request, maxValidators: parts, maxShare: 1 / parts })
        assert.equal(allocations.length, parts)
        const ceiling = (request.amount + BigInt(parts) - 1n) / BigInt(parts)
        for (const { amount } of allocations) assert.ok(amount <= ceiling)
      },
    ),
    runs(200),
  )
})

test('the order of the validators does not change the answer', () => {
  fc.assert(
    fc.property(networks, requests, ({ count, seed, options }, request) => {
      const validators = variedValidators(count, seed)
      assert.deepEqual(
        allocatorFor(validators.toReversed(), options)(request).allocations,
        allocatorFor(validators, options)(request).allocations,
      )
    }),
    runs(60),
  )
})

test('identical validators: the lowest ids are chosen, and their amounts differ by one unit at most', () => {
  const same = ['b', 'a', 'd', 'c'].map((id) => ({ id, stake: 1_000_000 }))
  const { allocations } = allocatorFor(same)({ amount: 10n * TOKEN + 3n, maxValidators: 2, riskAversion: 10 })
  assert.deepEqual(
    allocations.map(({ validatorId, amount }) => [validatorId, amount]),
    [
      ['a', 5n * TOKEN + 2n],
      ['b', 5n * TOKEN + 1n],
    ],
  )
})

test('ten times the stakes and ten times the amount give the same weights', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.constantFrom(...SHAPES),
      fc.integer({ min: 4, max: 8 }),
      (seed, options, power) => {
        const validators = variedValidators(25, seed)
        const large = validators.map((one) => ({ ...one, stake: 10 * one.stake }))
        const amount = 10n ** BigInt(power) * TOKEN
        const small = allocatorFor(validators, options)({ amount, maxValidators: 5 })
        const scaled = allocatorFor(large, options)({ amount: 10n * amount, maxValidators: 5 })
        for (const { validatorId, weight } of small.allocations) {
          const other = scaled.allocations.find((one) => one.validatorId === validatorId)
          assert.ok(other && Math.abs(other.weight - weight) < 1e-4)
        }
      },
    ),
    runs(40),
  )
})

test('a validator never gets more stake than one of equal stake and lower commission', () => {
  fc.assert(
    fc.property(fc.nat(500), requests, fc.constantFrom(...SHAPES), (seed, request, options) => {
      const validators = variedValidators(12, seed)
      const better = { id: 'x-better', stake: 60_000_000, commissionBps: 300 }
      const worse = { id: 'a-worse', stake: 60_000_000, commissionBps: 700 }
      const allocation = allocatorFor([...validators, better, worse], options)(request)
      assert.ok(amountOf(allocation, 'x-better') >= amountOf(allocation, 'a-worse'))
    }),
    runs(100),
  )
})

test('raising a commission never brings a validator more stake', () => {
  fc.assert(
    fc.property(
      fc.nat(500),
      requests,
      fc.constantFrom(...SHAPES),
      fc.nat(2_000),
      (seed, request, options, raise) => {
        const [first, ...rest] = variedValidators(12, seed)
        assert.ok(first)
        const raised = { ...first, nextCommissionBps: (first.commissionBps ?? 0) + raise }
        const before = amountOf(allocatorFor([first, ...rest], options)(request), first.id)
        const after = amountOf(allocatorFor([raised, ...rest], options)(request), first.id)
        // Units of equal worth may be exchanged, so one unit of tolerance.
        assert.ok(after <= before + 1n, `${before} before, ${after} after`)
      },
    ),
    runs(100),
  )
})

test('the projected APY includes the dilution of the pools by the allocated stake', () => {
  const pools = [
    { id: 'a', stake: 1_000_000 },
    { id: 'b', stake: 1_000_000 },
  ]
  const allocate = allocatorFor(pools, { yearlyRate: 0.08 })
  const small = allocate({ amount: TOKEN, maxValidators: 1, riskAversion: 0 })
  const large = allocate({ amount: 1_000_000n * TOKEN, maxValidators: 1, riskAversion: 0 })
  // Twice the stake shares the same pot: half the yearly rate.
  const rate = (apy: number): number => 365 * ((1 + apy / 100) ** (1 / 365) - 1)
  assert.ok(Math.abs(rate(large.totalProjectedApy) / rate(small.totalProjectedApy) - 0.5) < 1e-5)
})

test('a validator that may lose its place in the committee gets less stake', () => {
  const validators: readonly SampleValidator[] = [
    { id: 'edge', stake: 1_020_000 },
    { id: 'safe', stake: 1_300_000 },
    { id: 'waits', stake: 1_000_000, status: 'inactive', inNextCommittee: false },
  ]
  const setOf = (maxMembers: number) => ({ members: 2, minMembers: 0, maxMembers, changesLeft: undefined })
  const request = { amount: 100_000n * TOKEN, maxValidators: 2 }
  const roomy = allocatorFor(validators, { activeSet: setOf(3) })(request)
  const full = allocatorFor(validators, { activeSet: setOf(2) })(request)
  assert.ok(amountOf(roomy, 'edge') > amountOf(roomy, 'safe'), 'the smaller pool pays more')
  assert.ok(amountOf(full, 'edge') < amountOf(full, 'safe'), 'but not for long')
  assert.ok(full.totalProjectedApy < roomy.totalProjectedApy)
})

test('only visible, eligible and not excluded validators get stake', () => {
  const validators = variedValidators(30, 5)
  const { snapshot, records } = sampleNetwork([
    ...validators,
    { id: 'gone', stake: 1, status: 'inactive', inNextCommittee: false },
  ])
  const scored = scoreValidators(snapshot, records)
  const allocate = allocator(stakeOptionsOf(snapshot, scored))
  const top = scored.slice(0, 10).map(({ validator }) => validator.id)
  const request = { amount: 10n ** 17n, maxValidators: 50, visible: 10 }
  const chosen = allocate(request).allocations.map(({ validatorId }) => validatorId)
  assert.ok(chosen.every((id) => top.includes(id)))
  const without = allocate({ ...request, exclude: new Set(chosen.slice(0, 2)) }).allocations
  assert.ok(without.every(({ validatorId }) => !chosen.slice(0, 2).includes(validatorId)))
  assert.equal(amountOf(allocate({ amount: MAX_AMOUNT, maxValidators: 50 }), 'gone'), 0n)
})

test('an amount that cannot be split is refused with the field and a fix', () => {
  const allocate = allocatorFor(variedValidators(3, 1))
  const refused = (request: AllocationRequest, field: string, fix: RegExp): void => {
    assert.throws(
      () => allocate(request),
      (fault: { code?: string; details?: readonly { field: string; message: string }[] }) =>
        fault.code === 'invalid_input' &&
        fault.details?.[0]?.field === field &&
        fix.test(fault.details[0].message),
    )
  }
  refused({ amount: TOKEN - 1n, maxValidators: 5 }, 'amount', /at least 1000000000/)
  refused({ amount: 9n * TOKEN, maxValidators: 5, maxShare: 0.3 }, 'maxShare', /at least 0\.333/)
  refused({ amount: 2n * TOKEN - 1n, maxValidators: 5, maxShare: 0.5 }, 'maxShare', /1 validator/)
  const everybody = new Set(['v00000', 'v00001', 'v00002'])
  refused({ amount: 9n * TOKEN, maxValidators: 5, exclude: everybody }, 'exclude', /fewer/)
  const empty = allocatorFor([{ id: 'a', stake: 1, status: 'inactive', inNextCommittee: false }])
  assert.throws(() => empty({ amount: TOKEN, maxValidators: 1 }), { code: 'store_not_ready' })
})

test('with overlapping groups the optimum is proven, and caps are kept to the unit', () => {
  const allocate = allocatorFor(variedValidators(25, 1))
  fc.assert(
    fc.property(fc.nat(1_000), fc.bigInt({ min: 10n ** 13n, max: 10n ** 17n }), (seed, amount) => {
      const groups = groupsOfThreeKinds(25, [0.3, 0.4, 0.45], seed)
      const { allocations, certificate } = allocate({ amount, maxValidators: 8, groups })
      assert.ok(certificate.gap <= 1e-8, `the gap is ${certificate.gap}`)
      assert.equal(
        allocations.reduce((sum, one) => sum + one.amount, 0n),
        amount,
      )
      for (const { validatorIds, maxShare } of groups) {
        const inside = allocations.filter(({ validatorId }) => validatorIds.has(validatorId))
        const held = inside.reduce((sum, one) => sum + one.amount, 0n)
        assert.ok(held <= shareOf(amount, maxShare))
      }
    }),
    runs(40),
  )
})

test('overlapping groups without a possible split are refused, and the refusal says what to loosen', () => {
  const allocate = allocatorFor(variedValidators(25, 1))
  const groups = groupsOfThreeKinds(25, [0.3, 0.4, 0.45], 1)
  assert.throws(() => allocate({ amount: 1_000n * TOKEN, maxValidators: 3, groups }), {
    code: 'invalid_input',
    message:
      '`groups` leave too little room for this amount with 3 validators; raise `maxValidators` to 4, or their `maxShare`.',
  })
})

test('minValidators with overlapping groups: a search without a result says that its time ran out, not that there is none', () => {
  const allocate = allocatorFor(variedValidators(25, 1))
  const groups = groupsOfThreeKinds(25, [0.2, 0.22, 0.25], 23)
  const existing = new Map([['v00003', TOKEN]])
  assert.throws(
    () => allocate({ amount: 1_000n * TOKEN, maxValidators: 6, groups, existing, fewest: 3 }),
    /`groups` overlap so much that no split of this amount was found in time/,
  )
})

test('the explanation names the limit on each amount and why the next validator is left out', () => {
  const allocate = allocatorFor(variedValidators(40, 9))
  const request = { amount: 10n ** 17n, maxValidators: 4, explain: true }
  const { explanation, allocations } = allocate(request)
  assert.ok(explanation)
  assert.deepEqual(
    explanation.chosen.map(({ validatorId }) => validatorId),
    allocations.map(({ validatorId }) => validatorId),
  )
  for (const reason of explanation.chosen) {
    assert.equal(reason.heldBy, 'marginal_rate')
    assert.ok(Math.abs(reason.marginalRate - explanation.marginalRate) < 1e-9)
    assert.ok(reason.apyAfter < reason.apyBefore)
  }
  assert.equal(explanation.next?.reason, 'max_validators')
  assert.ok(!allocations.some(({ validatorId }) => validatorId === explanation.next?.validatorId))
  // `costOfChoosing` is a lower bound: without the weakest validator the value falls by at least that much.
  const weakest = allocations.at(-1)?.validatorId ?? ''
  const swapped = allocate({ ...request, exclude: new Set([weakest]) })
  const lost = allocate(request).certificate.value - swapped.certificate.value
  assert.ok(lost >= (explanation.next?.costOfChoosing ?? 0) - 1e-9)

  const capped = allocate({ ...request, maxShare: 0.25 }).explanation
  assert.ok(capped?.chosen.every(({ heldBy }) => heldBy === 'max_share'))
  const single = allocate({ ...request, amount: TOKEN, riskAversion: 1_000 }).explanation
  assert.equal(single?.chosen[0]?.heldBy, 'whole_amount')
  assert.equal(single?.chosen[0]?.marginalRate, single?.marginalRate)
  assert.equal(single?.next?.reason, 'amount_too_small')
  const cautious = allocate({ ...request, amount: 100n * TOKEN, riskAversion: 0 }).explanation
  assert.equal(cautious?.next?.reason, 'rate_too_low')
})

test('a validator that its group limits is held by group_share; the others end at the common rate', () => {
  const allocate = allocatorFor(variedValidators(40, 9))
  const request = { amount: 10n ** 17n, maxValidators: 6, explain: true }
  const [first, second] = allocate(request).allocations
  assert.ok(first && second)
  const members = new Set([first.validatorId, second.validatorId])
  const { allocations, explanation } = allocate({
    ...request,
    groups: [{ name: 'two', validatorIds: members, maxShare: 0.3 }],
  })
  assert.ok(explanation && allocations.some(({ validatorId }) => members.has(validatorId)))
  for (const { validatorId, heldBy, marginalRate } of explanation.chosen) {
    const isInside = members.has(validatorId)
    assert.equal(heldBy, isInside ? 'group_share' : 'marginal_rate')
    if (isInside) assert.ok(marginalRate > explanation.marginalRate + 1e-4)
    else assert.ok(Math.abs(marginalRate - explanation.marginalRate) < 1e-9)
  }
})

test('choosing the next validator costs at least costOfChoosing, whatever is held and whatever the limits', () => {
  let costly = 0
  fc.assert(
    fc.property(
      fc.record({
        seed: fc.nat(10_000),
        maxValidators: fc.integer({ min: 1, max: 4 }),
        maxShare: fc.constantFrom(1, 0.3, 0.4),
        hasGroups: fc.boolean(),
        held: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      }),
      ({ seed, maxValidators, maxShare, hasGroups, held }) => {
        const validators = variedValidators(12, seed)
        const allocate = allocatorFor(validators)
        const existing = new Map(
          held.map((millions, at) => [validators[at]?.id ?? '', BigInt(millions) * 10n ** 15n]),
        )
        const groups = hasGroups ? groupsOfThreeKinds(12, [0.5, 0.5, 0.6], seed) : []
        const request = { amount: 10n ** 17n, maxValidators, maxShare, groups, existing, explain: true }
        const found = tryTo(() => allocate(request))
        const next = found?.explanation?.next
        if (!found || !next) return
        if (next.costOfChoosing > 0) costly += 1
        const chosen = new Set(found.allocations.map(({ validatorId }) => validatorId))
        for (const weakest of chosen) {
          const kept = new Set([...chosen, next.validatorId].filter((id) => id !== weakest))
          const exclude = new Set(validators.flatMap(({ id }) => (kept.has(id) ? [] : [id])))
          const swapped = tryTo(() => allocate({ ...request, exclude }))
          if (!swapped?.allocations.some(({ validatorId }) => validatorId === next.validatorId)) continue
          const lost: number = found.certificate.value - swapped.certificate.value
          assert.ok(lost >= next.costOfChoosing - 1e-9, `${lost} instead of ${next.costOfChoosing}`)
        }
      },
    ),
    wholeRuns(300),
  )
  assert.ok(costly > 100, `only ${costly} cases have a cost`)
})

/** Undefined if limits do not allow it. */
function tryTo(allocate: () => Allocation): Allocation | undefined {
  try {
    return allocate()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

test('a single validator gets the whole amount', () => {
  const { allocations } = allocatorFor([{ id: 'only', stake: 5 }])({ amount: MAX_AMOUNT, maxValidators: 5 })
  assert.deepEqual(
    allocations.map(({ validatorId, amount, weight }) => [validatorId, amount, weight]),
    [['only', MAX_AMOUNT, 1]],
  )
})

test('a network that pays nothing still gets a valid split', () => {
  for (const options of SHAPES) {
    const { snapshot, records } = sampleNetwork(variedValidators(8, 1), options)
    const unpaid = { ...snapshot, rewards: { ...snapshot.rewards, perEpoch: 0n } }
    const allocate = allocator(stakeOptionsOf(unpaid, scoreValidators(unpaid, records)))
    const { allocations, totalProjectedApy, certificate } = allocate({
      amount: 10n * TOKEN + 7n,
      maxValidators: 3,
    })
    assert.equal(
      allocations.reduce((sum, { amount }) => sum + amount, 0n),
      10n * TOKEN + 7n,
    )
    assert.equal(totalProjectedApy, 0)
    assert.equal(certificate.gap, 0)
  }
})

test('a plain rule that exceeds principalShare is no alternative, even if it keeps maxShare', () => {
  const { snapshot, records } = sampleNetwork(
    variedValidators(8, 1).map((one) => ({ ...one, firstEpoch: 92 })),
  )
  const market = stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
  const ids = market.options.filter(({ eligible }) => eligible).map(({ validatorId }) => validatorId)
  const strategies = (best: string, principalShare?: number) => {
    const other = ids.find((id) => id !== best) ?? ''
    const request: AllocationRequest = {
      amount: 100n * TOKEN,
      maxValidators: 1,
      maxShare: 0.7,
      existing: new Map([
        [best, 300n * TOKEN],
        [other, 1_000n * TOKEN],
      ]),
      // 90% of the other holding are rewards.
      principals: new Map([
        [best, 300n * TOKEN],
        [other, 100n * TOKEN],
      ]),
      ...(principalShare !== undefined && { principalShare }),
    }
    const terms = termsOf(market, request)
    return strategiesIn(market)(
      prepareField(market)(terms),
      { ...terms, yieldOf: yieldOfWhole(market)(terms) },
      1,
    )
  }
  const best = ids.find((id) =>
    strategies(id).some(({ strategy, validatorIds }) => strategy === 'highest_apy' && validatorIds[0] === id),
  )
  assert(best)
  assert(!strategies(best, 0.7).some(({ validatorIds }) => validatorIds.includes(best)))
})

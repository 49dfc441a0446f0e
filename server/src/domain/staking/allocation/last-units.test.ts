import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { allocatorFor, groupsOfThreeKinds } from '../../../../test/support/planning/sample-allocator.ts'
import { runs } from '../../../../test/support/repetitions.ts'
import { seededRandom, TOKEN, variedValidators } from '../../../../test/support/sample-network.ts'
import { shareOf } from '../stake-limits.ts'
import type { Allocation } from './allocation.ts'
import type { AllocationRequest } from './allocation-terms.ts'

// With caps that leave no unit to spare, 64-bit floats (53 bits of precision) cannot decide whether an amount fits.

function check(
  { allocations }: Allocation,
  { amount, groups = [], existing = new Map() }: AllocationRequest,
): void {
  assert.equal(
    allocations.reduce((sum, one) => sum + one.amount, 0n),
    amount,
  )
  let total = amount
  for (const staked of existing.values()) total += staked
  for (const { validatorIds, maxShare } of groups) {
    const inside = allocations.filter(({ validatorId }) => validatorIds.has(validatorId))
    const before = [...existing].reduce(
      (sum, [id, staked]) => (validatorIds.has(id) ? sum + staked : sum),
      0n,
    )
    assert.ok(inside.reduce((sum, one) => sum + one.amount, before) <= shareOf(total, maxShare))
  }
}

test('five validators in a chain of groups hold the amount with only a few units to spare', () => {
  const allocate = allocatorFor(variedValidators(25, 1))
  for (const units of [7n, 8n, 9n, 10n, 13n]) {
    const groups = groupsOfThreeKinds(25, [0.3, 0.4, 0.45], 918)
    const request = { amount: 10n ** 13n + units, maxValidators: 8, groups }
    const allocation = allocate(request)
    check(allocation, request)
    assert.equal(allocation.allocations.length, 5)
    assert.ok(allocation.certificate.gap <= 1e-8)
  }
})

const pools = [
  { id: 'a', stake: 40_000_000 },
  { id: 'b', stake: 50_000_000 },
  { id: 'c', stake: 200_000_000 },
]
const chosenOf = ({ allocations }: Allocation) => allocations.map(({ validatorId }) => validatorId).toSorted()

test('a choice whose groups lack a few units of the amount is given up for one that can hold it', () => {
  const allocate = allocatorFor(pools)
  const groupOf = (id: string, maxShare: number) => ({ name: id, validatorIds: new Set([id]), maxShare })
  const amount = 10n ** 17n
  const groups = [groupOf('a', 0.6), groupOf('b', 0.4 - 1e-15)]
  const missing = amount - shareOf(amount, 0.6) - shareOf(amount, 0.4 - 1e-15)
  assert.ok(missing > 0n && missing < 200n)
  const request = { amount, maxValidators: 2, groups }
  const allocation = allocate(request)
  check(allocation, request)
  assert.deepEqual(chosenOf(allocation), ['a', 'c'])
  const roomy = allocate({ ...request, groups: [groupOf('a', 0.6), groupOf('b', 0.4)] })
  assert.deepEqual(chosenOf(roomy), ['a', 'b'])
})

test('a refusal about groups says how many validators could hold the amount, and with that many it is accepted', () => {
  const allocate = allocatorFor(variedValidators(25, 1))
  const groups = groupsOfThreeKinds(25, [0.3, 0.4, 0.45], 1)
  const request = { amount: 1_000n * TOKEN, maxValidators: 3, groups }
  const fix = /raise `maxValidators` to (\d+), or their `maxShare`/
  assert.throws(
    () => allocate(request),
    (fault: Error) => {
      assert.match(fault.message, /^`groups` leave too little room for this amount with 3 validators; /)
      const enough = Number(fix.exec(fault.message)?.[1])
      assert.ok(enough > 3)
      check(allocate({ ...request, maxValidators: enough }), request)
      return true
    },
  )
  const everybody = {
    name: 'all',
    validatorIds: new Set(variedValidators(25, 1).map(({ id }) => id)),
    maxShare: 0.9,
  }
  assert.throws(() => allocate({ ...request, groups: [everybody] }), {
    code: 'invalid_input',
    message: '`groups` leave too little room for this amount; raise their `maxShare`.',
  })
})

/** A group of the validators with these indices; its share is rounded up to a cap of exactly `units`. */
const capOf = (members: readonly number[], units: bigint, amount: bigint) => {
  const maxShare = (Number(units) - 0.5) / Number(amount)
  assert.equal(shareOf(amount, maxShare), units)
  const ids = variedValidators(6, 0).map(({ id }) => id)
  return { name: members.join(), validatorIds: new Set(members.map((at) => ids[at] ?? '')), maxShare }
}

test('two overlapping groups: units lost by truncation are placed within the caps', () => {
  const amount = 3n * TOKEN + 4n
  const most = 2n * TOKEN + 2n
  const groups = [capOf([0, 1], most, amount), capOf([1, 2], most, amount)]
  const request = { amount, maxValidators: 3, groups }
  check(allocatorFor(variedValidators(3, 0))(request), request)
})

test('a choice whose group lacks a single unit is given up for one that can hold the amount', () => {
  const amount = 22n * TOKEN - 13n
  const most = 11n * TOKEN - 7n
  const groups = [capOf([0, 5], most, amount), capOf([3, 4], 1n, amount), capOf([0, 1, 4], most, amount)]
  const request = { amount, maxValidators: 4, groups }
  check(allocatorFor(variedValidators(6, 0))(request), request)
})

test('three groups in a triangle accept up to 1.5 times their cap, to the unit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 18n }), (amount) => {
      const allocate = allocatorFor(pools)
      const pairs = [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ] as const
      const withShare = (maxShare: number): AllocationRequest => ({
        amount,
        maxValidators: 3,
        groups: pairs.map((pair) => ({ name: pair.join(), validatorIds: new Set(pair), maxShare })),
      })
      const cap = shareOf(amount, 2 / 3)
      const request = withShare(2 / 3)
      if ((3n * cap) / 2n >= amount) check(allocate(request), request)
      const less = withShare(2 / 3 - 2e-16)
      if ((3n * shareOf(amount, 2 / 3 - 2e-16)) / 2n >= amount) check(allocate(less), less)
      else assert.throws(() => allocate(less), { message: /leave too little room for this amount; raise/ })
    }),
    runs(100),
  )
})

/** Problems with a known split: the cap of each group is the amount that the split puts into it, plus `spare`. */
const tight = fc
  .record({
    count: fc.integer({ min: 3, max: 10 }),
    seed: fc.nat(1_000),
    parts: fc.array(fc.oneof(fc.constant(0n), fc.bigInt({ min: TOKEN, max: 10n ** 13n })), {
      minLength: 10,
      maxLength: 10,
    }),
    masks: fc.array(fc.integer({ min: 1, max: 1_023 }), { minLength: 1, maxLength: 9 }),
    spare: fc.constantFrom(0, 0, 1, 2, 1_000),
  })
  .map(({ count, seed, parts, masks, spare }) => {
    const validators = variedValidators(count, seed)
    const units = parts.slice(0, count)
    const amount = units.reduce((sum, part) => sum + part, 0n)
    const groups = masks.flatMap((mask, index) => {
      const members = validators.flatMap(({ id }, at) =>
        (mask >> at) & 1 ? [{ id, units: units[at] ?? 0n }] : [],
      )
      const held = members.reduce((sum, member) => sum + member.units, BigInt(spare))
      const validatorIds = new Set(members.map(({ id }) => id))
      // Shares are rounded up to the unit, but a share close to 1/n is read as 1/n and may then be too small.
      const maxShare = Math.min(1, (Number(held) - 0.5) / Number(amount))
      if (maxShare <= 0 || shareOf(amount, maxShare) < held) return []
      return [{ name: `${index}`, validatorIds, maxShare }]
    })
    const request = { amount, maxValidators: units.filter((part) => part > 0n).length, groups }
    return { validators, request }
  })
  .filter(({ request }) => request.amount > 0n)

test('if a split exists it is found, even with tight, overlapping groups', () => {
  fc.assert(
    fc.property(tight, ({ validators, request }) => {
      check(allocatorFor(validators)(request), request)
    }),
    runs(150),
  )
})

test('with 27 validators in 40 groups without a unit to spare, the existing split is found in time', () => {
  const random = seededRandom(14)
  const validators = variedValidators(25 + Math.floor(6 * random()), 14)
  const units = validators.map(() => (random() < 0.4 ? 0n : TOKEN + BigInt(Math.floor(random() * 10 ** 13))))
  const amount = units.reduce((sum, part) => sum + part, 0n)
  const groups = Array.from({ length: 40 }, (_, index) => {
    const members = validators.flatMap(({ id }, at) =>
      random() < 0.2 ? [{ id, units: units[at] ?? 0n }] : [],
    )
    const held = members.reduce((sum, member) => sum + member.units, 0n)
    const maxShare = Math.min(1, (Number(held) - 0.5) / Number(amount))
    return { name: `${index}`, validatorIds: new Set(members.map(({ id }) => id)), maxShare }
  }).filter(({ maxShare }) => maxShare > 0)
  const request = { amount, maxValidators: units.filter((part) => part > 0n).length, groups }
  check(allocatorFor(validators)(request), request)
})

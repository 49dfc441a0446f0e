import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SET_LIMITS } from '#adapters/sandbox/staking/active-set.ts'
import { compareTwin } from '../sandbox/compare-twin.ts'
import { type Played, playStep, type Step } from '../sandbox/play-twin.ts'
import { founding, hugeSteps, MILLION, steps, ties } from '../sandbox/random-steps.ts'
import { openTwin } from '../sandbox/twin.ts'

/** `PROPERTY_RUNS=20` plays a thousand games. */
const GAMES = 50 * Number(process.env['PROPERTY_RUNS'] ?? 1)
const { maxMembers, maxChanges } = SET_LIMITS

type Seen = Map<Played, number>

async function play(
  size: number,
  founders: readonly bigint[],
  game: readonly Step[],
  seen: Seen,
): Promise<void> {
  const twin = await openTwin(size)
  for (const step of founding(founders, maxChanges)) await playStep(twin, step)
  for (const step of game) {
    const played = await playStep(twin, step)
    seen.set(played, (seen.get(played) ?? 0) + 1)
    if (played === 'stopped') return
    await compareTwin(twin)
  }
}

/** A game that never gets there shows nothing. */
function assertSeen(seen: Seen, expected: readonly Played[]): void {
  assert.deepEqual(
    expected.filter((each) => !seen.has(each)),
    [],
  )
}

test('random games end as in the contract: every amount to the unit, every abort by its code', async () => {
  const seen: Seen = new Map()
  const many = { minLength: 40, maxLength: 120, size: 'max' } as const
  const games = fc.record({
    founders: fc.array(fc.oneof(ties, fc.bigInt({ min: 30n * MILLION, max: 90n * MILLION })), {
      minLength: 1,
      maxLength: 10,
    }),
    others: fc.integer({ min: 1, max: 4 }),
    game: fc.oneof(
      { weight: 9, arbitrary: fc.array(steps, many) },
      { weight: 1, arbitrary: fc.array(hugeSteps, many) },
    ),
  })
  await fc.assert(
    fc.asyncProperty(games, ({ founders, others, game }) =>
      play(founders.length + others, founders, game, seen),
    ),
    { numRuns: GAMES },
  )
  assertSeen(seen, [
    'done',
    'aborted EValidatorIsNotActive',
    'aborted ENotStaked',
    'aborted ENotWithdrawing',
    'aborted EWithdrawEpochNotReached',
    'aborted EWithdrawDirectly',
    'aborted EMetadataMismatch',
    'aborted EInvalidAmount',
    'aborted EStakeBelowThreshold',
    'aborted EStakingBelowThreshold',
    'aborted EBelowMinValidatorCount',
  ])
})

test('a full set gives up the same validator as the contract, also where stakes tie', async () => {
  const seen: Seen = new Map()
  const size = maxMembers + 3
  const games = fc.record({
    founders: fc.array(ties, { minLength: maxMembers, maxLength: maxMembers }),
    newcomers: fc.array(ties, { minLength: 3, maxLength: 3 }),
    leaving: fc.uniqueArray(fc.nat({ max: maxMembers - 1 }), { minLength: 8, maxLength: 12 }),
    game: fc.array(steps, { minLength: 5, maxLength: 15 }),
  })
  await fc.assert(
    fc.asyncProperty(games, ({ founders, newcomers, leaving, game }) => {
      const late = newcomers.flatMap((amount, index): Step[] => [
        { kind: 'stake', validator: maxMembers + index, amount },
        { kind: 'enter', validator: maxMembers + index },
      ])
      const gone = leaving.map((token): Step => ({ kind: 'unstake', token, part: undefined }))
      return play(size, founders, [...late, ...gone, ...game], seen)
    }),
    { numRuns: Math.ceil(GAMES / 25) },
  )
  assertSeen(seen, ['done', 'aborted validator_set 8', 'aborted EMaxValidatorChangeReached'])
})

test('who leaves a validator that was put out late meets the same underflow as in the contract', async () => {
  const seen: Seen = new Map()
  const end = fc.record({
    kind: fc.constant('end' as const),
    reward: fc.bigInt({ min: MILLION, max: 4n * MILLION }),
    missed: fc.constant([]),
    times: fc.constant(1),
  })
  const games = fc.record({
    /** Rewards before, so that shares are not one to one. */
    before: fc.array(end, { minLength: 1, maxLength: 3 }),
    staked: fc.bigInt({ min: MILLION, max: 25n * MILLION }),
    taken: fc.integer({ min: 950, max: 990 }),
    after: fc.array(end, { minLength: 2, maxLength: 2 }),
    last: fc.constantFrom([5, 0], [0, 4]),
    game: fc.array(steps, { minLength: 5, maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(games, ({ before, staked, taken, after, last, game }) => {
      // After the middle, token 5 comes and most of token 0 goes: the validator is put out with a seat in the next
      // committee, and token 5 becomes active after its rates stand still.
      const late: readonly Step[] = [
        { kind: 'middle' },
        { kind: 'stake', validator: 0, amount: staked },
        { kind: 'unstake', token: 0, part: taken },
      ]
      const leave = last.map((token): Step => ({ kind: 'withdraw', token, part: undefined }))
      const founders = [31n, 50n, 60n, 70n, 80n].map((stake) => stake * MILLION)
      return play(5, founders, [...before, ...late, ...after, ...leave, ...game], seen)
    }),
    { numRuns: GAMES / 5 },
  )
  assertSeen(seen, ['done', 'aborted ARITHMETIC_ERROR'])
})

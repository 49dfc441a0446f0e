import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SET_LIMITS } from '#adapters/sandbox/staking/active-set.ts'
import { compareTwin } from '../sandbox/compare-twin.ts'
import { type Played, playStep, type Step } from '../sandbox/play-twin.ts'
import { founding, hugeSteps, MILLION, steps, ties } from '../sandbox/random-steps.ts'
import { openTwin } from '../sandbox/twin.ts'
import { runs } from '../support/repetitions.ts'

/** A thousand games, in parts so that each test stays within its time limit on a busy machine. */
const PARTS = [1, 2, 3, 4, 5]
const GAMES_OF_A_PART = runs(200).numRuns
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
    // `playStep` has checked that an abort leaves the world unchanged, so only effects need a comparison.
    if (played === 'done') await compareTwin(twin)
  }
  await compareTwin({ ...twin, chain: await twin.reopen() })
}

/** Fails if no game had one of these outcomes: the property would hold vacuously for it. */
function assertSeen(seen: Seen, expected: readonly Played[]): void {
  assert.deepEqual(
    expected.filter((each) => !seen.has(each)),
    [],
  )
}

for (const part of PARTS)
  test(`random games end as in the contract: every amount to the unit, every abort by its code (${part} of ${PARTS.length})`, () =>
    playPart(part))

/** A configured seed is offset so that each part plays different games; without one, they differ anyway. */
function seedOf(part: number): { readonly seed?: number } {
  const { seed } = fc.readConfigureGlobal() ?? {}
  return seed === undefined ? {} : { seed: seed + part }
}

async function playPart(part: number): Promise<void> {
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
    { numRuns: GAMES_OF_A_PART, ...seedOf(part) },
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
}

test('a full set removes the same validator as the contract, also where stakes tie', async () => {
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
    runs(2),
  )
  assertSeen(seen, ['done', 'aborted validator_set 8', 'aborted EMaxValidatorChangeReached'])
})

test('withdrawing from a validator that was removed after mid-epoch fails with the same underflow as in the contract', async () => {
  const seen: Seen = new Map()
  const end = fc.record({
    kind: fc.constant('end' as const),
    reward: fc.bigInt({ min: MILLION, max: 4n * MILLION }),
    missed: fc.constant([]),
    times: fc.constant(1),
  })
  const games = fc.record({
    /** Epochs with rewards, so that shares are not one to one. */
    before: fc.array(end, { minLength: 1, maxLength: 3 }),
    staked: fc.bigInt({ min: MILLION, max: 25n * MILLION }),
    taken: fc.integer({ min: 950, max: 990 }),
    after: fc.array(end, { minLength: 2, maxLength: 2 }),
    last: fc.constantFrom([5, 0], [0, 4]),
    game: fc.array(steps, { minLength: 5, maxLength: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(games, ({ before, staked, taken, after, last, game }) => {
      // After the middle, token 5 is staked and most of token 0 unstaked: the validator is removed although it has a
      // seat in the next committee, and token 5 becomes active after the validator's last exchange rate.
      const late: readonly Step[] = [
        { kind: 'middle' },
        { kind: 'stake', validator: 0, amount: staked },
        { kind: 'unstake', token: 0, part: taken },
      ]
      const leave = last.map((token): Step => ({ kind: 'withdraw', token, part: undefined }))
      const founders = [31n, 50n, 60n, 70n, 80n].map((stake) => stake * MILLION)
      return play(5, founders, [...before, ...late, ...after, ...leave, ...game], seen)
    }),
    runs(50),
  )
  assertSeen(seen, ['done', 'aborted ARITHMETIC_ERROR'])
})

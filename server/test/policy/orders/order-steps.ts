import fc from 'fast-check'

/** One action of a transaction; tokens and validators are given by index. */
export type Act =
  | { readonly kind: 'stake'; readonly to: number; readonly amount: number }
  /** Unstakes a part, or without an amount the whole token. */
  | { readonly kind: 'take'; readonly token: number; readonly amount?: number }
  | { readonly kind: 'join'; readonly tokens: readonly number[] }

/** Step of the agent (`build`, `release`), its wallet (`run`), the service (`look`) or the clock (`wait`). */
export type Step =
  | { readonly kind: 'build'; readonly acts: readonly Act[] }
  | { readonly kind: 'run' | 'release'; readonly which: number }
  | { readonly kind: 'look' }
  | { readonly kind: 'wait'; readonly minutes: number }

export const RULES = ['maxPerTx', 'approvalAbove', 'maxPerWindow', 'maxShare', 'minValidators'] as const
export type RuleName = (typeof RULES)[number]

// Few different tokens, so that many transactions concern the same one.
const token = fc.constantFrom(0, 0, 0, 1, 3, 4, 5)
const act: fc.Arbitrary<Act> = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.record({
    kind: fc.constant('stake' as const),
    to: fc.constant(4),
    amount: fc.constantFrom(1, 150, 250),
  }),
  fc.record({ kind: fc.constant('take' as const), token }),
  fc.record({ kind: fc.constant('take' as const), token, amount: fc.constantFrom(1, 10) }),
  fc.constantFrom([0, 1], [0, 1, 2], [1, 0]).map((tokens) => ({ kind: 'join' as const, tokens })),
)

const build: fc.Arbitrary<Step> = fc
  .array(act, { minLength: 1, maxLength: 2 })
  .map((acts) => ({ kind: 'build', acts }))
const other: fc.Arbitrary<Step> = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({ kind: fc.constantFrom('run' as const, 'run' as const, 'release' as const), which: fc.nat(3) }),
  fc.constant({ kind: 'look' as const }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(4, 16) }),
)
/** Several builds, then an attempt to execute each of them in random order. */
const round: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: build }, { weight: 1, arbitrary: other }), {
      minLength: 3,
      maxLength: 6,
      size: 'max',
    }),
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
  )
  .map(([steps, order]) => [...steps, ...order.map((which) => ({ kind: 'run' as const, which }))])

export type Life = { readonly rules: readonly RuleName[]; readonly steps: readonly Step[] }

export const lives: fc.Arbitrary<Life> = fc.record({
  rules: fc.oneof(
    fc.constantFrom(...RULES).map((rule): readonly RuleName[] => [rule]),
    fc.subarray([...RULES], { minLength: 2, maxLength: 2 }),
  ),
  steps: fc.array(round, { minLength: 1, maxLength: 2 }).map((rounds) => rounds.flat()),
})

const built = (...acts: readonly Act[]): Step => ({ kind: 'build', acts })
const run = (which: number): Step => ({ kind: 'run', which })
const take = (one: number, amount?: number): Act => ({
  kind: 'take',
  token: one,
  ...(amount !== undefined && { amount }),
})
const stake = (to: number, amount: number): Act => ({ kind: 'stake', to, amount })
const ALL_ALIKE: Act = { kind: 'join', tokens: [0, 1, 2] }

/** Regression cases: orders in which a limit was exceeded. */
export const KNOWN_LIVES: readonly Life[] = [
  // A join makes a token larger after its unstake was built.
  ...(['maxPerTx', 'approvalAbove'] as const).map((rule) => ({
    rules: [rule],
    steps: [built(ALL_ALIKE), built(take(0)), run(0), run(1)],
  })),
  // One build unstakes a whole token, another a part of it: both can be executed.
  {
    rules: ['maxShare'],
    steps: [built(stake(4, 150), take(4)), built(stake(4, 150), take(4, 1)), run(1), run(0)],
  },
  // Other validators lose stake while a stake with the first is still pending.
  ...[
    [run(1), run(0)],
    [run(0), run(1)],
  ].map(
    (orders): Life => ({
      rules: ['maxShare'],
      steps: [built(stake(4, 250)), built(take(3), take(4)), ...orders],
    }),
  ),
  {
    rules: ['minValidators'],
    steps: [built(take(3)), built(take(4), take(3, 1)), run(1), run(0)],
  },
  // A single stake that equals the stake of a pending batch.
  {
    rules: ['maxPerWindow'],
    steps: [
      built(stake(4, 1), take(0)),
      built(stake(4, 1)),
      run(1),
      { kind: 'look' },
      built(ALL_ALIKE),
      run(2),
      run(0),
    ],
  },
  // A part of a token was unstaked while the unstake of the whole token is pending.
  {
    rules: ['maxPerWindow'],
    steps: [built(take(0, 10)), built(take(0)), run(0), built(ALL_ALIKE), run(2), run(1)],
  },
]

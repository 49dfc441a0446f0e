import fc from 'fast-check'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/durations.ts'

/** Command of the reservation model: by agents, owners, the chain, the clock or the machine. */
export type Command =
  | { readonly kind: 'build'; readonly amount: number; readonly times: number; readonly isLost: boolean }
  /** Asks when a build of this amount would be allowed. */
  | { readonly kind: 'ask'; readonly amount: number }
  | { readonly kind: 'execute' | 'release'; readonly which: number }
  /** Unstakes the token of a stake, or one unit of it. `elsewhere`: not through the service, so it does not look before. */
  | { readonly kind: 'take all' | 'take part' | 'take part elsewhere'; readonly which: number }
  /** Joins the token of a stake with another one of its validator. `stays`: the stake's own token remains. */
  | { readonly kind: 'join'; readonly which: number; readonly stays: boolean }
  | { readonly kind: 'move clock'; readonly by: number }
  | { readonly kind: 'next epoch'; readonly epochs: number }
  | { readonly kind: 'restart' }

const by = fc.constantFrom(
  MINUTE_MS,
  11 * MINUTE_MS,
  16 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  -MINUTE_MS,
  -3 * DAY_MS,
)
export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('build' as const),
        amount: fc.integer({ min: 1, max: 70 }),
        times: fc.integer({ min: 1, max: 4 }),
        isLost: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('ask' as const), amount: fc.integer({ min: 1, max: 135 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('execute' as const, 'release' as const),
        which: fc.nat(99),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('take all' as const, 'take part' as const, 'take part elsewhere' as const),
        which: fc.nat(99),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('join' as const), which: fc.nat(99), stays: fc.boolean() }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('move clock' as const), by }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('next epoch' as const), epochs: fc.constantFrom(1, 2) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
)

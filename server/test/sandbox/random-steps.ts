import fc from 'fast-check'
import type { Step } from './play-twin.ts'
import { TOKEN } from './test-chain.ts'

export const MILLION = 1_000_000n * TOKEN

/** Stakes around the joining stake, often equal, so that validators tie. */
export const ties = fc.constantFrom(30n * MILLION, 30n * MILLION + 1n, 31n * MILLION)
const ordinary = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: TOKEN, max: 9n * TOKEN }) },
  { weight: 3, arbitrary: ties },
  { weight: 3, arbitrary: fc.bigInt({ min: TOKEN, max: 60n * MILLION }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n * TOKEN }) },
)
/** Now and then an amount so large that two of them exceed 64 bits. */
const huge = fc.oneof(
  { weight: 4, arbitrary: ordinary },
  { weight: 1, arbitrary: fc.bigInt({ min: 5_000n * MILLION, max: 9_000n * MILLION }) },
)

const choice = fc.nat({ max: 10_000 })
const kind = <T extends string>(name: T) => fc.constant(name)
const rewards = (most: bigint) => fc.bigInt({ min: 0n, max: most })
/** Thousandths of the principal, or an arbitrary amount, which may be invalid. */
const part = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 1_000 }) },
  { weight: 1, arbitrary: ordinary },
)

/** Random steps of stakers, operators and the clock. */
function stepsOf(amount: fc.Arbitrary<bigint>): fc.Arbitrary<Step> {
  const stakers: fc.WeightedArbitrary<Step>[] = [
    { weight: 40, arbitrary: fc.record({ kind: kind('stake'), validator: choice, amount }) },
    {
      weight: 70,
      arbitrary: fc.record({
        kind: fc.constantFrom('unstake' as const, 'withdraw' as const),
        token: choice,
        part: fc.option(part, { nil: undefined, freq: 2 }),
      }),
    },
    { weight: 10, arbitrary: fc.record({ kind: kind('split'), token: choice, part }) },
    { weight: 10, arbitrary: fc.record({ kind: kind('join'), token: choice, other: choice }) },
  ]
  const operators: fc.WeightedArbitrary<Step>[] = [
    { weight: 15, arbitrary: fc.record({ kind: kind('enter'), validator: choice }) },
    { weight: 5, arbitrary: fc.record({ kind: kind('leave'), validator: choice }) },
    {
      weight: 10,
      arbitrary: fc.record({ kind: kind('commission'), validator: choice, bps: fc.nat({ max: 2_500 }) }),
    },
  ]
  const missed = fc.array(choice, { maxLength: 2 })
  const one = { kind: kind('end'), missed, times: fc.constant(1) }
  const many = { kind: kind('end'), missed, times: fc.integer({ min: 2, max: 400 }) }
  const time: fc.WeightedArbitrary<Step>[] = [
    { weight: 20, arbitrary: fc.record({ kind: kind('middle') }) },
    { weight: 35, arbitrary: fc.record({ ...one, reward: rewards(4n * MILLION) }) },
    { weight: 1, arbitrary: fc.record({ ...many, reward: rewards(9_000n * TOKEN) }) },
  ]
  return fc.oneof(...stakers, ...operators, ...time)
}

export const steps: fc.Arbitrary<Step> = stepsOf(ordinary)
export const hugeSteps: fc.Arbitrary<Step> = stepsOf(huge)

const END: Step = { kind: 'end', reward: 0n, missed: [], times: 1 }

/** Every validator stakes and enters the set, `inOneEpoch` of them per epoch; ends with the epoch of the last one. */
export function founding(stakes: readonly bigint[], inOneEpoch: number): readonly Step[] {
  return stakes.flatMap((amount, index): Step[] => {
    const enter: Step[] = [
      { kind: 'stake', validator: index, amount },
      { kind: 'enter', validator: index },
    ]
    const endsEpoch = index % inOneEpoch === inOneEpoch - 1 || index === stakes.length - 1
    return endsEpoch ? [...enter, END] : enter
  })
}

import highsModule from 'highs'
import type { GroupCap } from '#domain/staking/solver/capped/group-caps.ts'
import type { SplitProblem } from '#domain/staking/solver/dual-bound.ts'
import { gainOf, marginalGain, type RewardCurve } from '#domain/staking/solver/reward-curve.ts'

/**
 * An independent check: the same problem for HiGHS, a general solver of mixed-integer programs. HiGHS knows straight
 * lines only, so that every curve is replaced by tangents, which lie above it. Its optimum is therefore at least
 * ours, and its split, valued by the true curves, at most. Both are -Infinity where no split is possible.
 */
export type Bracket = { readonly lower: number; readonly upper: number; readonly milliseconds: number }

/** Where tangents touch, as parts of the range from the least to the most that a choice can get. */
const TOUCHES = [0, 0.01, 0.03, 0.07, 0.13, 0.2, 0.3, 0.42, 0.56, 0.75, 1]

type Solve = (problem: SplitProblem, alsoAt: readonly number[], groups?: readonly GroupCap[]) => Bracket

export async function highsSolver(): Promise<Solve> {
  const highs = await toLoader(highsModule)()
  return (problem, alsoAt, groups = []) => {
    const program = toProgram(problem, alsoAt, groups)
    const started = performance.now()
    const solution = highs.solve(program, { mip_rel_gap: 1e-9, mip_abs_gap: 0, output_flag: false })
    const milliseconds = performance.now() - started
    if (solution.Status === 'Infeasible') return { lower: -Infinity, upper: -Infinity, milliseconds }
    if (solution.Status !== 'Optimal') throw new Error(`HiGHS says: ${solution.Status}`)
    let lower = 0
    for (const [index, curve] of problem.choices.entries()) {
      const column = solution.Columns[`x${index}`]
      const share = column && 'Primal' in column ? column.Primal : 0
      lower += gainOf(curve, problem.risk, share * problem.amount)
    }
    return { lower, upper: solution.ObjectiveValue * scaleOf(problem), milliseconds }
  }
}

/**
 * The package describes the CommonJS form of itself, whose function is called `default`. Node imports the
 * function itself.
 */
const toLoader = (imported: unknown): typeof highsModule.default => imported as typeof highsModule.default

/** Shares of the amount and gains relative to the best rate keep all numbers near 1. */
const scaleOf = ({ amount, choices }: SplitProblem): number =>
  amount * Math.max(...choices.map(({ entry }) => entry))

function toProgram(problem: SplitProblem, alsoAt: readonly number[], groups: readonly GroupCap[]): string {
  const { amount, choices, least, most, maxChosen } = problem
  const indices = choices.map((_, index) => index)
  const sum = (name: string): string => indices.map((index) => `${name}${index}`).join(' + ')
  const rows = [` all: ${sum('x')} = 1`, ` few: ${sum('z')} <= ${maxChosen}`]
  for (const [index, curve] of choices.entries()) {
    rows.push(` lo${index}: x${index} - ${least / amount} z${index} >= 0`)
    rows.push(` hi${index}: x${index} - ${most / amount} z${index} <= 0`)
    const touches = [...TOUCHES.map((part) => least + part * (most - least)), ...alsoAt]
    for (const [at, x] of new Set(touches).entries()) rows.push(tangent(problem, curve, index, at, x))
  }
  for (const [at, { members, most }] of groups.entries()) {
    const inside = choices.flatMap((curve, index) => (members.has(curve) ? [`x${index}`] : []))
    if (inside.length > 0) rows.push(` cap${at}: ${inside.join(' + ')} <= ${most / amount}`)
  }
  return [
    'Maximize',
    ` obj: ${sum('t')}`,
    'Subject To',
    ...rows,
    'Bounds',
    ...indices.map((index) => ` t${index} free`),
    'Binary',
    ` ${indices.map((index) => `z${index}`).join(' ')}`,
    'End',
  ].join('\n')
}

/** t ≤ slope · x + height · z: the height counts only when the choice is made. */
function tangent(problem: SplitProblem, curve: RewardCurve, index: number, at: number, x: number): string {
  const { amount, risk } = problem
  const slope = marginalGain(curve, risk, x)
  const height = gainOf(curve, risk, x) - slope * x
  const scale = scaleOf(problem)
  const signed = (value: number): string => (value < 0 ? `+ ${-value}` : `- ${value}`)
  return ` g${index}_${at}: t${index} ${signed((slope * amount) / scale)} x${index} ${signed(height / scale)} z${index} <= 0`
}

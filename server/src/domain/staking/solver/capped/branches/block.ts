import type { RewardCurve } from '../../reward-curve.ts'

/**
 * One curve of the relaxed problem. Its variables are the amount on the straight part, the amount on the curved part
 * and, for a curve that may be left out, `part`: the fraction of it that is chosen, 0…1. A fraction of a curve gains
 * part · gain(amount / part), which is concave in both. Amounts are scaled by the whole amount and rates by the
 * highest rate, so that all numbers are near 1.
 */
export type Block = {
  readonly curve: RewardCurve
  /** The rows of the linking constraints that its amount counts in. */
  readonly rows: readonly number[]
  readonly isOpen: boolean
  /** The index of each variable in `values`; -1 where the curve has no such part. */
  readonly straight: number
  readonly curved: number
  readonly values: Float64Array
  readonly steps: Float64Array
  /** The local constraints: the sum of coefficients times variables is at most `most`. */
  readonly limits: readonly Limit[]
  readonly slope: number
  readonly stake: number
  readonly decline: number
  readonly cost: number
  readonly bend: number
  /** The Hessian with the barrier, then its Cholesky factor. */
  readonly matrix: Float64Array
  readonly gradient: Float64Array
  /** The derivatives of the variables by the price of amounts and by the price of parts, with a negative sign. */
  readonly byAmount: Float64Array
  readonly byPart: Float64Array
}

export type Limit = {
  readonly factors: Float64Array
  readonly most: number
  slack: number
  dual: number
  slackStep: number
  dualStep: number
}

type Units = { readonly amount: number; readonly rate: number; readonly risk: number }

type Shape = {
  readonly curve: RewardCurve
  readonly least: number
  readonly most: number
  readonly isOpen: boolean
  readonly rows: readonly number[]
}

/** A block whose amount is at `level`, 0…1, between its bounds. */
export function newBlock(shape: Shape, { amount, rate, risk }: Units, level: number): Block {
  const { curve, isOpen, rows } = shape
  const [least, most] = [shape.least / amount, shape.most / amount]
  const knee = Math.min(curve.knee / amount, most)
  const hasStraight = knee > 0
  const hasCurved = most > knee
  const count = Number(hasStraight) + Number(hasCurved) + Number(isOpen)
  const part = isOpen ? 0.5 : 1
  const filled = (part * (least + level * (most - least))) / most
  const values = new Float64Array(count)
  const [straight, curved] = [hasStraight ? 0 : -1, hasCurved ? Number(hasStraight) : -1]
  if (hasStraight) values[0] = filled * knee
  if (hasCurved) values[curved] = filled * (most - knee)
  if (isOpen) values[count - 1] = part
  const limits: Limit[] = []
  const limit = (coefficients: readonly (readonly [number, number])[], most: number): void => {
    const factors = new Float64Array(count)
    for (const [at, factor] of coefficients) if (at >= 0) factors[at] = factor
    limits.push({ factors, most, slack: 0, dual: 0, slackStep: 0, dualStep: 0 })
  }
  const z = isOpen ? count - 1 : -1
  for (const [at, bound] of [
    [straight, knee],
    [curved, most - knee],
  ] as const) {
    if (at < 0) continue
    limit([[at, -1]], 0)
    limit(
      [
        [at, 1],
        [z, -bound],
      ],
      isOpen ? 0 : bound,
    )
  }
  if (least > 0)
    limit(
      [
        [straight, -1],
        [curved, -1],
        [z, least],
      ],
      isOpen ? 0 : -least,
    )
  if (isOpen) limit([[z, 1]], 1)
  const stake = curve.stake / amount + knee
  return {
    curve,
    rows,
    isOpen,
    straight,
    curved,
    values,
    steps: new Float64Array(count),
    limits,
    slope: curve.slope / rate,
    stake,
    decline: curve.decline / amount / amount / rate,
    cost: curve.cost / rate,
    bend: (risk * curve.variance * amount) / rate,
    matrix: new Float64Array(count * count),
    gradient: new Float64Array(count),
    byAmount: new Float64Array(count),
    byPart: new Float64Array(count),
  }
}

export const partOf = ({ isOpen, values }: Block): number => (isOpen ? (values[values.length - 1] ?? 0) : 1)

export const amountOf = ({ straight, curved, values }: Block): number =>
  (straight >= 0 ? (values[straight] ?? 0) : 0) + (curved >= 0 ? (values[curved] ?? 0) : 0)

/** Writes the gradient and the Hessian of the loss (the negated gain) at the current values. */
export function differentiate(block: Block): void {
  const { gradient, matrix, values, cost, bend, isOpen } = block
  const count = values.length
  const amounts = isOpen ? count - 1 : count
  const part = partOf(block)
  const mean = amountOf(block) / part
  const stiffness = bend / part
  for (let row = 0; row < amounts; row++) {
    gradient[row] = cost + bend * mean
    for (let column = 0; column < amounts; column++) matrix[row * count + column] = stiffness
  }
  if (isOpen) {
    const z = count - 1
    gradient[z] = -0.5 * bend * mean * mean
    for (let at = 0; at < z; at++) {
      matrix[at * count + z] = -stiffness * mean
      matrix[z * count + at] = -stiffness * mean
    }
    matrix[z * count + z] = stiffness * mean * mean
  }
  addRewards(block, part)
}

function addRewards(block: Block, part: number): void {
  const { gradient, matrix, values, straight, curved, slope, stake, decline, isOpen } = block
  if (straight >= 0) increase(gradient, straight, -slope)
  if (curved < 0) return
  const count = values.length
  const amount = values[curved] ?? 0
  const whole = stake * part + amount
  const fall = (2 * decline) / (whole * whole * whole)
  increase(gradient, curved, -(decline * part * part) / (whole * whole))
  increase(matrix, curved * count + curved, fall * part * part)
  if (!isOpen) return
  const z = count - 1
  increase(gradient, z, -((decline / stake) * amount * amount) / (whole * whole))
  increase(matrix, curved * count + z, -fall * part * amount)
  increase(matrix, z * count + curved, -fall * part * amount)
  increase(matrix, z * count + z, fall * amount * amount)
}

function increase(array: Float64Array, at: number, by: number): void {
  array[at] = (array[at] ?? 0) + by
}

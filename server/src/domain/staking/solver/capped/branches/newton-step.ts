import { amountOf, type Block, differentiate, type Limit, partOf } from './block.ts'
import { factorise, solve } from './cholesky.ts'

/** A constraint over all blocks: the cap of a group or, last, the number of chosen curves. */
export type Link = {
  readonly most: number
  used: number
  slack: number
  dual: number
  slackStep: number
  dualStep: number
}

export type State = {
  readonly blocks: readonly Block[]
  readonly links: readonly Link[]
  /** `wanted`: the amount to be placed; `used`: the amount placed so far. */
  readonly wanted: number
  used: number
  /** Whether the last link is the number of chosen curves. */
  readonly hasCount: boolean
  /** The dual of the amount. */
  price: number
  readonly matrix: Float64Array
  readonly vector: Float64Array
}

/** Distance of a state from the optimum: the largest violation of a constraint, and the sum of slack · dual. */
export type Shortfall = {
  readonly infeasibility: number
  readonly complementarity: number
  /** The number of slacks. */
  readonly count: number
}

/** Also updates `used` of the state and of every link. */
export function shortfallOf(state: State): Shortfall {
  const { blocks, links, wanted, hasCount } = state
  for (const link of links) link.used = 0
  state.used = 0
  let [complementarity, count] = [0, links.length]
  const counting = hasCount ? links.at(-1) : undefined
  for (const block of blocks) {
    const amount = amountOf(block)
    state.used += amount
    for (const row of block.rows) {
      const link = links[row - 1]
      if (link) link.used += amount
    }
    if (counting && block.isOpen) counting.used += partOf(block)
    for (const { slack, dual } of block.limits) complementarity += slack * dual
    count += block.limits.length
  }
  let infeasibility = Math.abs(state.used - wanted)
  for (const { used, slack, dual, most } of links) {
    infeasibility = Math.max(infeasibility, Math.abs(used + slack - most))
    complementarity += slack * dual
  }
  return { infeasibility, complementarity, count }
}

/**
 * One Newton step towards the point where every slack times its dual is `target`. Returns the step length, 0…1; 0 if
 * the linear system is singular in floats.
 */
export function advance(state: State, target: number): number {
  const { blocks, links, matrix, vector, hasCount } = state
  matrix.fill(0)
  vector.fill(0)
  const size = vector.length
  const countRow = hasCount ? size - 1 : -1
  vector[0] = state.used - state.wanted
  for (const [at, { most, used, slack, dual }] of links.entries()) {
    vector[at + 1] = used + slack - most + target / dual - slack
    matrix[(at + 1) * size + at + 1] = slack / dual
  }
  for (const block of blocks) {
    prepare(block, state, target)
    assemble(block, matrix, vector, countRow)
  }
  factorise(matrix, size)
  solve(matrix, vector)
  if (!vector.every(Number.isFinite)) return 0
  let length = 1
  for (const block of blocks) length = Math.min(length, stepOf(block, vector, countRow, target))
  for (const [at, link] of links.entries()) {
    link.dualStep = vector[at + 1] ?? 0
    link.slackStep = (target - link.dual * link.slack - link.slack * link.dualStep) / link.dual
    length = Math.min(length, lengthTo(link))
  }
  const taken = length < 1 ? 0.99 * length : 1
  apply(state, taken)
  return taken
}

/** The step of a block at the current prices, and its derivatives by the prices. */
function prepare(block: Block, { links, price, hasCount }: State, target: number): void {
  const { values, limits, matrix, gradient, steps, byAmount, byPart, isOpen, straight, curved } = block
  const count = values.length
  differentiate(block)
  let due = price
  for (const row of block.rows) due += links[row - 1]?.dual ?? 0
  byAmount.fill(0)
  byPart.fill(0)
  if (straight >= 0) byAmount[straight] = 1
  if (curved >= 0) byAmount[curved] = 1
  if (isOpen) byPart[count - 1] = 1
  const countPrice = hasCount ? (links.at(-1)?.dual ?? 0) : 0
  for (let at = 0; at < count; at++)
    steps[at] = -(gradient[at] ?? 0) - due * (byAmount[at] ?? 0) - countPrice * (byPart[at] ?? 0)
  for (const { factors, slack, dual } of limits) {
    const weight = dual / slack
    for (let row = 0; row < count; row++) {
      const factor = factors[row] ?? 0
      if (factor === 0) continue
      steps[row] = (steps[row] ?? 0) - (factor * target) / slack
      for (let column = 0; column < count; column++)
        matrix[row * count + column] =
          (matrix[row * count + column] ?? 0) + weight * factor * (factors[column] ?? 0)
    }
  }
  factorise(matrix, count)
  solve(matrix, steps)
  solve(matrix, byAmount)
  if (isOpen) solve(matrix, byPart)
}

const inAmount = ({ straight, curved }: Block, vector: Float64Array): number =>
  (straight >= 0 ? (vector[straight] ?? 0) : 0) + (curved >= 0 ? (vector[curved] ?? 0) : 0)

function assemble(block: Block, matrix: Float64Array, vector: Float64Array, countRow: number): void {
  const size = vector.length
  const { byAmount, byPart, steps, rows, isOpen } = block
  const own = inAmount(block, byAmount)
  const step = inAmount(block, steps)
  const add = (row: number, column: number, value: number): void => {
    matrix[row * size + column] = (matrix[row * size + column] ?? 0) + value
  }
  vector[0] = (vector[0] ?? 0) + step
  add(0, 0, own)
  for (const row of rows) {
    vector[row] = (vector[row] ?? 0) + step
    add(row, 0, own)
    add(0, row, own)
    for (const other of rows) add(row, other, own)
  }
  if (!isOpen || countRow < 0) return
  const mixed = inAmount(block, byPart)
  vector[countRow] = (vector[countRow] ?? 0) + (steps.at(-1) ?? 0)
  add(countRow, countRow, byPart.at(-1) ?? 0)
  add(countRow, 0, mixed)
  add(0, countRow, mixed)
  for (const row of rows) {
    add(countRow, row, mixed)
    add(row, countRow, mixed)
  }
}

/** Adds the effect of the price change to the step of a block. Returns the longest step that its bounds allow. */
function stepOf(block: Block, change: Float64Array, countRow: number, target: number): number {
  const { steps, byAmount, byPart, limits, rows, isOpen } = block
  let due = change[0] ?? 0
  for (const row of rows) due += change[row] ?? 0
  const forPart = isOpen && countRow >= 0 ? (change[countRow] ?? 0) : 0
  for (let at = 0; at < steps.length; at++)
    steps[at] = (steps[at] ?? 0) - due * (byAmount[at] ?? 0) - forPart * (byPart[at] ?? 0)
  let length = 1
  for (const limit of limits) {
    let moved = 0
    for (let at = 0; at < steps.length; at++) moved += (limit.factors[at] ?? 0) * (steps[at] ?? 0)
    limit.slackStep = -moved
    limit.dualStep = (target - limit.dual * limit.slack + limit.dual * moved) / limit.slack
    length = Math.min(length, lengthTo(limit))
  }
  return length
}

/** The longest step length, at most 1, that keeps slack and dual from falling below 0. */
function lengthTo({ slack, dual, slackStep, dualStep }: Limit | Link): number {
  let length = 1
  if (slackStep < 0) length = Math.min(length, -slack / slackStep)
  if (dualStep < 0) length = Math.min(length, -dual / dualStep)
  return length
}

function apply(state: State, length: number): void {
  const { blocks, links, vector } = state
  state.price += length * (vector[0] ?? 0)
  for (const { values, steps, limits } of blocks) {
    for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) + length * (steps[at] ?? 0)
    for (const limit of limits) move(limit, length)
  }
  for (const link of links) move(link, length)
}

function move(one: Limit | Link, length: number): void {
  one.slack += length * one.slackStep
  one.dual += length * one.dualStep
}

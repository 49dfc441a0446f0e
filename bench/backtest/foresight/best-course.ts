/**
 * The pay of each place in each epoch: `pot · part / (stake + part)`, for the part that was already there in the epoch
 * before. Arrays are ordered by epoch, then by place.
 */
export type Future = {
  readonly places: number
  readonly pots: Float64Array
  readonly stakes: Float64Array
}

export type Course = {
  /** The share of the stake, by epoch and place. */
  readonly parts: Float64Array
  /** The earnings summed over the epochs, and an upper bound on those of any course. */
  readonly earned: number
  readonly bound: number
}

/** The stake by epoch and place, and the part of it that is paid because it was there in the epoch before. */
type Flow = { readonly parts: Float64Array; readonly paid: Float64Array }

const STEPS = 4_000
const HALVINGS = 14

/**
 * Finds the course that earns most if the future is known and moved stake misses its epoch of arrival: a concave
 * program, solved by Frank–Wolfe. Each step finds the best path of a single unit by dynamic programming and moves a
 * part of all stake onto it. Without `start` the first epoch is paid in full for any placement.
 *
 * Simplification: arriving stake does not dilute the others before it earns. This can only raise the bound.
 */
export function bestCourse(future: Future, start: Float64Array | undefined, within: number): Course {
  const nothing = new Float64Array(future.pots.length)
  let flow = bestPath(future.places, slopesAt(future, nothing), start)
  let bound = Infinity
  for (let step = 0; step < STEPS; step++) {
    const slopes = slopesAt(future, flow.paid)
    const path = bestPath(future.places, slopes, start)
    const change = path.paid.map((part, cell) => part - (flow.paid[cell] ?? 0))
    const gain = slopes.reduce((sum, slope, cell) => sum + slope * (change[cell] ?? 0), 0)
    const earned = earnedBy(future, flow.paid)
    bound = Math.min(bound, earned + gain)
    if (gain < within * earned) break
    const part = stepLength(future, flow.paid, change)
    flow = { parts: mix(flow.parts, path.parts, part), paid: mix(flow.paid, path.paid, part) }
  }
  return { parts: flow.parts, earned: earnedBy(future, flow.paid), bound }
}

const mix = (from: Float64Array, to: Float64Array, part: number): Float64Array =>
  from.map((value, cell) => value + part * ((to[cell] ?? 0) - value))

const slopesAt = ({ pots, stakes }: Future, paid: Float64Array): Float64Array =>
  pots.map((pot, cell) => {
    const stake = stakes[cell] ?? 0
    return pot === 0 ? 0 : (pot * stake) / (stake + (paid[cell] ?? 0)) ** 2
  })

const earnedBy = ({ pots, stakes }: Future, paid: Float64Array): number =>
  paid.reduce((sum, part, cell) => {
    const pot = pots[cell] ?? 0
    return part === 0 || pot === 0 ? sum : sum + (pot * part) / ((stakes[cell] ?? 0) + part)
  }, 0)

/** Puts all stake where a single unit would earn most at these slopes: it stays and is paid, or moves and is not. */
function bestPath(places: number, slopes: Float64Array, start: Float64Array | undefined): Flow {
  const epochs = slopes.length / places
  // The most that a unit can still earn, by the place where it is when an epoch begins.
  const worth = new Float64Array(slopes.length + places)
  const target = new Int32Array(epochs + 1)
  for (let t = epochs; t >= 0; t--) {
    const next = (t + 1) * places
    const moved = t < epochs ? (worth[next + (target[t + 1] ?? 0)] ?? 0) : 0
    for (let i = 0; i < places; i++) {
      const cell = t * places + i
      if (t < epochs) worth[cell] = Math.max((slopes[cell] ?? 0) + (worth[next + i] ?? 0), moved)
      if ((worth[cell] ?? 0) > (worth[t * places + (target[t] ?? 0)] ?? 0)) target[t] = i
    }
  }
  const now = start ? Float64Array.from(start) : new Float64Array(places)
  if (!start) now[target[0] ?? 0] = 1
  const flow = { parts: new Float64Array(slopes.length), paid: new Float64Array(slopes.length) }
  for (let t = 0; t < epochs; t++) {
    const to = target[t + 1] ?? 0
    const moved = worth[(t + 1) * places + to] ?? 0
    let leaving = 0
    for (let i = 0; i < places; i++) {
      const cell = t * places + i
      const part = now[i] ?? 0
      if ((slopes[cell] ?? 0) + (worth[cell + places] ?? 0) >= moved) flow.paid[cell] = part
      else {
        leaving += part
        now[i] = 0
      }
    }
    now[to] = (now[to] ?? 0) + leaving
    flow.parts.set(now, t * places)
  }
  return flow
}

/** Exact line search by bisection: the gain decreases monotonically along the path; the step ends where it is zero. */
function stepLength({ pots, stakes }: Future, paid: Float64Array, change: Float64Array): number {
  const cells = [...change.keys()].filter((cell) => change[cell] !== 0 && pots[cell] !== 0)
  const gainAt = (part: number): number => {
    let gain = 0
    for (const cell of cells) {
      const [stake, moved] = [stakes[cell] ?? 0, change[cell] ?? 0]
      gain += ((pots[cell] ?? 0) * stake * moved) / (stake + (paid[cell] ?? 0) + part * moved) ** 2
    }
    return gain
  }
  let [low, high] = [0, 1]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (gainAt(middle) > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

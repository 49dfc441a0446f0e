/**
 * What places pay, epoch by epoch: `pot · part / (stake + part)` for a part of the whole that was there in the epoch
 * before. Cells are in the order of the epochs, and of the places within each.
 */
export type Future = {
  readonly places: number
  readonly pots: Float64Array
  readonly stakes: Float64Array
}

export type Course = {
  /** Which part lies where, by epoch and place. */
  readonly parts: Float64Array
  /** The sum over the epochs of what is earned, and what no course can pass. */
  readonly earned: number
  readonly bound: number
}

/** Where everything is, and which part of it was there in the epoch before and is paid. */
type Flow = { readonly parts: Float64Array; readonly paid: Float64Array }

const STEPS = 4_000
const HALVINGS = 14

/**
 * The best course for whoever knows all this and loses the epoch of arrival on what moves: a concave program, by
 * Frank–Wolfe. In every step the best way of a single unit is found by going backwards through the epochs, and a part of
 * everything is sent that way. Without `start` the first epoch is paid in full, wherever the stake is put.
 *
 * That arriving stake dilutes the others before it earns is left out, which can only raise the bound.
 */
export function bestCourse(future: Future, start: Float64Array | undefined, within: number): Course {
  const nothing = new Float64Array(future.pots.length)
  let flow = bestWay(future.places, slopesAt(future, nothing), start)
  let bound = Infinity
  for (let step = 0; step < STEPS; step++) {
    const slopes = slopesAt(future, flow.paid)
    const way = bestWay(future.places, slopes, start)
    const change = way.paid.map((part, cell) => part - (flow.paid[cell] ?? 0))
    const gain = slopes.reduce((sum, slope, cell) => sum + slope * (change[cell] ?? 0), 0)
    const earned = earnedBy(future, flow.paid)
    bound = Math.min(bound, earned + gain)
    if (gain < within * earned) break
    const part = stepLength(future, flow.paid, change)
    flow = { parts: mix(flow.parts, way.parts, part), paid: mix(flow.paid, way.paid, part) }
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

/** Everything where a single unit would earn most with these slopes: it stays and is paid, or moves and is not. */
function bestWay(places: number, slopes: Float64Array, start: Float64Array | undefined): Flow {
  const epochs = slopes.length / places
  // Of a unit that is in a place when an epoch begins: what it can still earn.
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

/** As far as it pays: what is gained along the way falls steadily, and where it reaches nothing is halved in on. */
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

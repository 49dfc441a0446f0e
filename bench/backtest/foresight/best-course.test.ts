import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../server/test/support/sample-network.ts'
import { bestCourse, type Future } from './best-course.ts'

const PARTS = 12

/** Brute force over all courses on three places in steps of a twelfth. Arriving stake does not dilute. */
function bruteForceBest({ places, pots, stakes }: Future, start: readonly number[] | undefined): number {
  const splits: number[][] = []
  for (let a = 0; a <= PARTS; a++) {
    for (let b = 0; a + b <= PARTS; b++) splits.push([a / PARTS, b / PARTS, (PARTS - a - b) / PARTS])
  }
  const earned = (epoch: number, before: readonly number[] | undefined, now: readonly number[]): number =>
    now.reduce((sum, part, i) => {
      const paid = before ? Math.min(part, before[i] ?? 0) : part
      const cell = epoch * places + i
      return paid === 0 ? sum : sum + ((pots[cell] ?? 0) * paid) / ((stakes[cell] ?? 0) + paid)
    }, 0)
  // Dynamic programming, last epoch first: `later` is the most that each split can still earn.
  let later = splits.map(() => 0)
  for (let epoch = pots.length / places - 1; epoch > 0; epoch--) {
    later = splits.map((before) =>
      Math.max(...splits.map((now, to) => earned(epoch, before, now) + (later[to] ?? 0))),
    )
  }
  return Math.max(...splits.map((now, to) => earned(0, start, now) + (later[to] ?? 0)))
}

test('the bound of the best course is at least the brute-force optimum and within 0.1% of what the course earns', () => {
  const random = seededRandom(5)
  for (let round = 0; round < 12; round++) {
    const cells = { length: 3 * 4 }
    const future = {
      places: 3,
      // A place is outside the committee in one of five epochs.
      pots: Float64Array.from(cells, () => (random() < 0.2 ? 0 : 1 + random())),
      stakes: Float64Array.from(cells, () => 0.3 + random()),
    }
    const start = round % 2 === 0 ? undefined : [0.5, 0.25, 0.25]
    const { parts, earned, bound } = bestCourse(future, start && Float64Array.from(start), 1e-4)
    assert(earned <= bound && bound <= earned * 1.001, `${earned} ${bound}`)
    assert(bound >= bruteForceBest(future, start) - 1e-9)
    for (let epoch = 0; epoch < 4; epoch++) {
      const all = parts.subarray(epoch * 3, epoch * 3 + 3).reduce((sum, part) => sum + part, 0)
      assert(Math.abs(all - 1) < 1e-9)
    }
  }
})

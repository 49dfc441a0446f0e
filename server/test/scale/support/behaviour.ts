import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Services } from './services.ts'
import type { Answer } from './steady-load.ts'

/** What is documented of a store in trouble, each with as much again for a machine that is busy with other tests. */
const REFUSED_WITHIN_MS = 1_000 * 2
const SERVED_AGAIN_WITHIN_MS = 2_000 * 2

/** Refusals came soon, and service went on soon after the store was back. Says what was seen. */
export function assertInTime(
  t: TestContext,
  answers: readonly Answer[],
  servedAfter: readonly number[],
): void {
  const waits = answers.filter(({ status }) => status === 503).map((each) => each.endedAt - each.startedAt)
  const slowest = Math.round(Math.max(0, ...waits))
  t.diagnostic(`refused after at most ${slowest} ms`)
  t.diagnostic(`served again after ${servedAfter.map(Math.round).join(', ')} ms`)
  assert(slowest < REFUSED_WITHIN_MS, `the slowest refusal took ${slowest} ms`)
  assert(Math.max(...servedAfter) < SERVED_AGAIN_WITHIN_MS, `served again after ${servedAfter.join()} ms`)
}

export function assertNobodyEnded({ services }: Services): void {
  const ends = services.map(({ child }) => child.exitCode ?? child.signalCode)
  assert.deepEqual(
    ends,
    services.map(() => null),
  )
}

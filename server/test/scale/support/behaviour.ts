import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Services } from './services.ts'
import { type Answer, countOf, type SteadyLoad } from './steady-load.ts'

/** The documented bounds for an unreachable store, doubled for a machine that is busy with other tests. */
const REFUSED_WITHIN_MS = 1_000 * 2
const SERVED_AGAIN_WITHIN_MS = 2_000 * 2
/** Process switches of one request: it passes the load, the service and the store, some twice, and each may stall. */
const STALLS_OF_A_REQUEST = 6
/** Less than the timeout of a statement, 1 s. */
const AT_ONCE_MS = 900
/** Share of requests that must be served even on a busy machine. */
const SERVED_SHARE = 0.98

/** Additional time allowed on a machine that has stalled the load itself. */
export const allowanceFor = (load: SteadyLoad): number => STALLS_OF_A_REQUEST * load.stallMs()

/** Asserts that refusals came within their bound, and that requests were served in time once the store was back. */
export function assertInTime(
  t: TestContext,
  load: SteadyLoad,
  servedAfter: readonly number[],
  answers: readonly Answer[] = load.answers,
): void {
  const waits = answers.filter(({ status }) => status === 503).map((each) => each.endedAt - each.startedAt)
  const slowest = Math.round(Math.max(0, ...waits))
  const allowance = allowanceFor(load)
  t.diagnostic(
    `refused after at most ${slowest} ms; the load itself was stalled for ${Math.round(load.stallMs())} ms`,
  )
  t.diagnostic(`served again after ${servedAfter.map(Math.round).join(', ')} ms`)
  assert(slowest < REFUSED_WITHIN_MS + allowance, `the slowest refusal took ${slowest} ms`)
  const longest = Math.max(...servedAfter)
  assert(longest < SERVED_AGAIN_WITHIN_MS + allowance, `served again after ${servedAfter.join()} ms`)
}

/**
 * Asserts that all requests were served, but for a few that were refused after a timeout: on a busy machine the store's
 * many processes may wait for the processor, or for the lock of one that does.
 */
export function assertServed(answers: readonly Answer[]): void {
  const isServed = ({ status, startedAt, endedAt }: Answer) =>
    status === 200 || (status === 503 && endedAt - startedAt >= AT_ONCE_MS)
  assert.deepEqual(
    answers.filter((answer) => !isServed(answer)),
    [],
  )
  const served = countOf(answers, 200)
  assert(served >= SERVED_SHARE * answers.length, `${served} of ${answers.length} were served`)
}

export function assertAllRunning({ services }: Services): void {
  const ends = services.map(({ child }) => child.exitCode ?? child.signalCode)
  assert.deepEqual(
    ends,
    services.map(() => null),
  )
}

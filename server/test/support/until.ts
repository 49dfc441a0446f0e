import { setTimeout } from 'node:timers/promises'

/** Polling without a pause would take CPU time from the work that is waited for. */
const POLL_EVERY_MS = 10

/** Polls until the condition holds. If it never does, the timeout of the test ends the wait. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(POLL_EVERY_MS)
}

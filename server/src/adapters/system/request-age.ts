import { AsyncLocalStorage } from 'node:async_hooks'

const startedAt = new AsyncLocalStorage<number>()

/** Runs the work of a request that begins now, so that whatever waits for it knows how long it has lasted. */
export const asRequest = <T>(work: () => T): T => startedAt.run(performance.now(), work)

/** How long the request that is being answered has lasted; 0 outside of one, as in a job. */
export function requestAgeMs(): number {
  const since = startedAt.getStore()
  return since === undefined ? 0 : performance.now() - since
}

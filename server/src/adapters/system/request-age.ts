import { AsyncLocalStorage } from 'node:async_hooks'

const startedAt = new AsyncLocalStorage<number>()

/** Runs the work of a request that begins now, in an async context from which `requestAgeMs` reads its age. */
export const asRequest = <T>(work: () => T): T => startedAt.run(performance.now(), work)

/** Age of the current request; 0 outside of a request, as in a job. */
export function requestAgeMs(): number {
  const since = startedAt.getStore()
  return since === undefined ? 0 : performance.now() - since
}

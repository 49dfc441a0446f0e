/**
 * Runs one at a time. Callers that arrive during a run share the next one. It begins after all of them have called,
 * so it sees every change that they had seen.
 */
export function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const present = run()
      running = present.catch(() => undefined)
      return present
    })
    return next
  }
}

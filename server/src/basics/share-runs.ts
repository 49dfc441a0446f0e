/**
 * Runs one at a time. Callers who come while it runs share the next run, which begins after all of them have asked: what
 * they saw before is there for it.
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

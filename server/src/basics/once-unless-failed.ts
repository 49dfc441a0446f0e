/** Runs the work once and shares its result. After a failure the next caller runs it again. */
export function onceUnlessFailed<T>(work: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined
  return () => {
    if (shared !== undefined) return shared
    const running = work()
    shared = running
    running.catch(() => {
      shared = undefined
    })
    return running
  }
}

/** Counts the calls of a check, and the time that they take. */
export function timedFetch(now: () => number) {
  let calls = 0
  let spentMs = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    calls += 1
    const startedAt = now()
    try {
      return await globalThis.fetch(input, init)
    } finally {
      spentMs += now() - startedAt
    }
  }
  return {
    fetch,
    read: () => ({ calls, averageMs: calls === 0 ? null : Math.round(spentMs / calls) }),
  }
}

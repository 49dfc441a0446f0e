/** Counts the calls of a check, and measures those that are answered. */
export function timedFetch(now: () => number) {
  let [calls, answered, spentMs] = [0, 0, 0]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    calls += 1
    const startedAt = now()
    const response = await globalThis.fetch(input, init)
    spentMs += now() - startedAt
    answered += 1
    return response
  }
  return {
    fetch,
    read: () => ({ calls, averageMs: answered === 0 ? null : Math.round(spentMs / answered) }),
  }
}

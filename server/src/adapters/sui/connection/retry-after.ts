type PauseLimits = { readonly openMs: number; readonly maxPauseMs: number }

/**
 * How long a node asks to be left alone: what its `Retry-After` says, else `openMs` for HTTP 429 and gRPC
 * RESOURCE_EXHAUSTED, which the client gives the same code. Undefined for every other failure.
 */
export function pauseAsked(cause: unknown, now: number, limits: PauseLimits): number | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const asked = 'meta' in cause ? retryAfterMs(cause.meta, now) : undefined
  if (asked !== undefined) return Math.min(asked, limits.maxPauseMs)
  return cause.code === 'RESOURCE_EXHAUSTED' ? limits.openMs : undefined
}

/** The header holds seconds or a date. */
function retryAfterMs(meta: unknown, now: number): number | undefined {
  if (typeof meta !== 'object' || meta === null || !('retry-after' in meta)) return undefined
  const text = String(meta['retry-after'])
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

type PauseLimits = { readonly openMs: number; readonly maxPauseMs: number }

/**
 * The pause that a node asks for: its `Retry-After`, else `openMs` for HTTP 429 and gRPC RESOURCE_EXHAUSTED, to which
 * the client gives the same code. Undefined for every other failure. `header` is the `Retry-After` of the response
 * headers, which the client's error lacks if the status came in the trailer.
 */
export function pauseAsked(
  cause: unknown,
  header: string,
  now: number,
  limits: PauseLimits,
): number | undefined {
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  const isLoad = cause.code === 'RESOURCE_EXHAUSTED'
  const inError = 'meta' in cause ? retryAfterMs(headerOf(cause.meta), now) : undefined
  const asked = inError ?? (isLoad ? retryAfterMs(header, now) : undefined)
  if (asked !== undefined) return Math.min(asked, limits.maxPauseMs)
  return isLoad ? limits.openMs : undefined
}

/** Parses seconds or a date. Undefined if the header is malformed, zero or in the past. */
export function retryAfterMs(text: string, now: number): number | undefined {
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(text)
  const ms = isSeconds ? Number(text) * 1_000 : Date.parse(text) - now
  return ms > 0 ? ms : undefined
}

function headerOf(meta: unknown): string {
  if (typeof meta !== 'object' || meta === null || !('retry-after' in meta)) return ''
  const value = meta['retry-after']
  return String(Array.isArray(value) ? value[0] : value)
}

import { readBounded } from '../../../basics/read-bounded.ts'
import { UnusableAnswer } from '../layouts/decode.ts'

export type Fetch = typeof globalThis.fetch

/** A fetch that follows no redirect and takes no more than `maxBytes`. */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    const { status, headers } = response
    if (isBodiless(status)) throw new UnusableAnswer(`HTTP ${status}, which has no body`)
    const body = await readBounded(response, maxBytes)
    if (!body) throw new UnusableAnswer(`the answer is larger than ${maxBytes} bytes`)
    return new Response(body, { status, headers })
  }
}

/** Statuses for which the `Response` constructor accepts no body. */
const isBodiless = (status: number): boolean => status < 200 || [204, 205, 304].includes(status)

import { UnusableAnswer } from '../layouts/decode.ts'

export type Fetch = typeof globalThis.fetch

/**
 * A fetch that follows no redirect and takes no more than `maxBytes`, counted after decompression: neither an
 * endless answer nor a small one that unpacks into a large one fills the memory.
 */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    const { status, headers } = response
    if (isBodiless(status)) throw new UnusableAnswer(`HTTP ${status}, which has no body`)
    return new Response(await readBounded(response, maxBytes), { status, headers })
  }
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const announced = Number(response.headers.get('content-length') ?? 0)
  const chunks: Uint8Array[] = []
  let size = 0
  if (announced <= maxBytes) {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength
      if (size > maxBytes) break
      chunks.push(chunk)
    }
    if (size <= maxBytes) return new Uint8Array(Buffer.concat(chunks))
  }
  await response.body?.cancel().catch(() => undefined)
  throw new UnusableAnswer(`the answer is larger than ${maxBytes} bytes`)
}

/** With these the constructor of a response takes no body. */
const isBodiless = (status: number): boolean => status < 200 || [204, 205, 304].includes(status)

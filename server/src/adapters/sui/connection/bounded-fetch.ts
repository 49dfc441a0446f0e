import { UnusableAnswer } from '../layouts/decode.ts'

export type Fetch = typeof globalThis.fetch

/**
 * A fetch that follows no redirect and takes no more than `maxBytes`, counted after decompression: neither an
 * endless answer nor a small one that unpacks into a large one fills the memory.
 */
export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'error' })
    const body = await readBounded(response, maxBytes)
    return new Response(body, { status: toBodyStatus(response.status), headers: response.headers })
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

/** Statuses that may not carry a body would make the constructor throw; to gRPC they are all the same failure. */
const toBodyStatus = (status: number): number =>
  status < 200 || [204, 205, 304].includes(status) ? 502 : status

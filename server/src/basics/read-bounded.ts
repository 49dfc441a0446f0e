/**
 * The body of a response, or undefined if it is larger than `maxBytes` after decompression. Protects the memory against
 * endless answers and decompression bombs.
 */
export async function readBounded(
  { headers, body }: Response,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  if (Number(headers.get('content-length') ?? 0) > maxBytes) {
    await body?.cancel().catch(() => undefined)
    return undefined
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

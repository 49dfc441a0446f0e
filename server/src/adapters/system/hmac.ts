import { hash } from 'node:crypto'

const HASH_BLOCK_BYTES = 64
const HASH_BYTES = 32
const SHORT_TEXT_BYTES = 256
const MAX_BYTES_PER_UNIT = 3

/**
 * HMAC (RFC 2104) for keys no longer than a block. Uses one-shot hashes, because the object that Node creates for each
 * HMAC costs more than the hashing, and a request of an agent that is not cached needs three.
 */
export function hmacSha256(key: Uint8Array): (text: string) => string {
  const block = Buffer.alloc(HASH_BLOCK_BYTES)
  block.set(key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(HASH_BYTES)])
  const short = Buffer.concat([inner, Buffer.alloc(SHORT_TEXT_BYTES)])
  return (text) => {
    // Short texts are encoded into a preallocated buffer.
    const fits = text.length * MAX_BYTES_PER_UNIT <= SHORT_TEXT_BYTES
    const within = fits
      ? short.subarray(0, HASH_BLOCK_BYTES + short.write(text, HASH_BLOCK_BYTES))
      : Buffer.concat([inner, Buffer.from(text)])
    outer.write(hash('sha256', within, 'hex'), HASH_BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
}

import { hash } from 'node:crypto'

const HASH_BLOCK_BYTES = 64
const HASH_BYTES = 32
const SHORT_TEXT_BYTES = 256
const MOST_BYTES_PER_UNIT = 3

/**
 * HMAC as RFC 2104 defines it, for keys no longer than a block. Made of one-shot hashes: a request of
 * an agent that is not cached needs three, and the object that Node makes for each costs more than the hashing.
 */
export function hmacSha256(key: Uint8Array): (text: string) => string {
  const block = Buffer.alloc(HASH_BLOCK_BYTES)
  block.set(key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(HASH_BYTES)])
  const short = Buffer.concat([inner, Buffer.alloc(SHORT_TEXT_BYTES)])
  return (text) => {
    // Short texts are encoded into a preallocated buffer.
    const fits = text.length * MOST_BYTES_PER_UNIT <= SHORT_TEXT_BYTES
    const within = fits
      ? short.subarray(0, HASH_BLOCK_BYTES + short.write(text, HASH_BLOCK_BYTES))
      : Buffer.concat([inner, Buffer.from(text)])
    outer.write(hash('sha256', within, 'hex'), HASH_BLOCK_BYTES, 'hex')
    return hash('sha256', outer, 'hex')
  }
}

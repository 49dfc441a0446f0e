import { hash } from 'node:crypto'

const HASH_BLOCK_BYTES = 64

/**
 * HMAC as RFC 2104 defines it, for keys no longer than a block. Made of one-shot hashes, because every request needs
 * one and the object that Node makes for an HMAC costs several times the hashing.
 */
export function hmacSha256(key: Uint8Array): (text: string) => string {
  const block = Buffer.alloc(HASH_BLOCK_BYTES)
  block.set(key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = block.map((byte) => byte ^ 0x5c)
  return (text) => {
    const within = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'hex')
    return hash('sha256', Buffer.concat([outer, Buffer.from(within, 'hex')]), 'hex')
  }
}

import { randomFillSync } from 'node:crypto'

const ID_BYTES = 15
const POOL = Buffer.allocUnsafe(ID_BYTES * 256)
let used = POOL.length

/**
 * The name of a request in its answer and in the log: 20 characters, 120 random bits. Always our own: an id that a
 * client sends could be forged, repeated or made to break a log line. Random rather than counted, so that it does not
 * tell how much traffic there is.
 */
export function newRequestId(): string {
  // Randomness is drawn for many ids at once; one by one it would cost as much as finding the route.
  if (used === POOL.length) {
    randomFillSync(POOL)
    used = 0
  }
  used += ID_BYTES
  return POOL.toString('base64url', used - ID_BYTES, used)
}

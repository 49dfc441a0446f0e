import { randomBytes } from 'node:crypto'

const ID_BYTES = 15
const ID_LENGTH = 20
const DRAWN = 256
let drawn = ''
let used = 0

/**
 * The name of a request in its answer and in the log: 20 characters, 120 random bits. Always our own: an id that a
 * client sends could be forged, repeated or made to break a log line. Random rather than counted, so that it does not
 * tell how much traffic there is.
 */
export function newRequestId(): string {
  // Many are drawn and spelled at once; one by one that would cost as much as finding the route.
  if (used === drawn.length) {
    drawn = randomBytes(ID_BYTES * DRAWN).toString('base64url')
    used = 0
  }
  used += ID_LENGTH
  return drawn.slice(used - ID_LENGTH, used)
}

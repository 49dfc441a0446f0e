import { randomUUID } from 'node:crypto'

/**
 * The name of a request in its answer and in the log. Always our own: an id that a client sends could be forged,
 * repeated or made to break a log line. Random rather than counted, so that it does not tell how much traffic there is.
 */
export const newRequestId = (): string => randomUUID()

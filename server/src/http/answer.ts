/** Header names are in lower case, so that looking one up needs no search. */
export type AnswerHeaders = Readonly<Record<Lowercase<string>, string>>

/**
 * What a handler gives back. Bytes and text are sent as they are, `undefined` means no body, everything else is sent as
 * JSON. Bytes and text are JSON too unless `content-type` says otherwise.
 */
export type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: AnswerHeaders
  /** The same object is given again and again: what goes out for it is worked out once. */
  readonly isKept?: true
}

/** What goes out after the head. */
export type Payload = string | Uint8Array

/** Up to this length a text leaves in the same write as the head; beyond it, copying costs more than a second piece. */
const ONE_WRITE = 8_192

export const toPayload = (text: string): Payload => (text.length <= ONE_WRITE ? text : Buffer.from(text))

/** Header names are in lower case, so that looking one up needs no search. */
export type AnswerHeaders = Readonly<Record<Lowercase<string>, string>>

/**
 * What a handler gives back. A `Uint8Array` is sent as it is, `undefined` means no body, everything else is sent as
 * JSON. Bytes are JSON too unless `content-type` says otherwise.
 */
export type Answer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: AnswerHeaders
}

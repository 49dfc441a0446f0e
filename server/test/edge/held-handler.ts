import type { HttpRequest } from '../../src/http/wire/request.ts'
import type { HttpResponse } from '../../src/http/wire/response.ts'

export type HeldHandler = {
  readonly handler: (request: HttpRequest) => Promise<HttpResponse>
  /** Resolves when the handler has been called. */
  readonly started: Promise<HttpRequest>
  /** Lets it answer. */
  release(answer?: HttpResponse): void
}

/** A handler that does not answer before `release` is called. */
export function heldHandler(): HeldHandler {
  const started = Promise.withResolvers<HttpRequest>()
  const held = Promise.withResolvers<HttpResponse>()
  return {
    handler: (request) => {
      started.resolve(request)
      return held.promise
    },
    started: started.promise,
    release: (answer = { body: { released: true } }) => held.resolve(answer),
  }
}

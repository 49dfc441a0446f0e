import type { Answer } from '../../src/http/answer.ts'
import type { Inbound } from '../../src/http/inbound.ts'

export type HeldHandler = {
  readonly handler: (inbound: Inbound) => Promise<Answer>
  /** Resolves when the handler has been called. */
  readonly started: Promise<Inbound>
  /** Lets it answer. */
  release(answer?: Answer): void
}

/** A handler that works until the test lets it go. */
export function heldHandler(): HeldHandler {
  const started = Promise.withResolvers<Inbound>()
  const held = Promise.withResolvers<Answer>()
  return {
    handler: (inbound) => {
      started.resolve(inbound)
      return held.promise
    },
    started: started.promise,
    release: (answer = { body: { released: true } }) => held.resolve(answer),
  }
}

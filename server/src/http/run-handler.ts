import { LIMITS } from '@stakewright/contract/limits'
import type { Answer } from './answer.ts'
import type { Exchange, FailExchange } from './exchange.ts'
import type { Inbound } from './inbound.ts'
import { toInbound } from './inbound.ts'
import { readBody } from './read-body.ts'
import type { SendAnswer } from './send-answer.ts'

export type Handler = (inbound: Inbound) => Answer | Promise<Answer>

type Needs = {
  readonly send: SendAnswer
  readonly fail: FailExchange
}

/** Reads the body, if there is one, calls the handler, and sends what it gives back or throws. */
export function runHandler({ send, fail }: Needs) {
  return (exchange: Exchange, handle: Handler, params: Inbound['params']): void => {
    if (exchange.carriesBody) readAndRun(exchange, handle, params)
    else run(exchange, handle, toInbound({ exchange, params, bytes: undefined }))
  }

  function readAndRun(exchange: Exchange, handle: Handler, params: Inbound['params']): void {
    readBody(exchange, LIMITS.bodyBytes, {
      take: (bytes) => run(exchange, handle, toInbound({ exchange, params, bytes })),
      refuse: (fault) => fail(exchange, fault),
    })
  }

  // An answer that is ready at once is sent at once: a promise would cost more than many of our answers.
  function run(exchange: Exchange, handle: Handler, inbound: Inbound): void {
    try {
      const answer = handle(inbound)
      if (answer instanceof Promise) settle(exchange, answer)
      else send(exchange, answer)
    } catch (error) {
      fail(exchange, error)
    }
  }

  // Not an asynchronous function, which would be one more promise for every request.
  function settle(exchange: Exchange, pending: Promise<Answer>): void {
    const sendSettled = (answer: Answer) => {
      try {
        send(exchange, answer)
      } catch (error) {
        fail(exchange, error)
      }
    }
    pending.then(sendSettled, (error: unknown) => fail(exchange, error))
  }
}

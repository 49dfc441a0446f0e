import { fairTurns } from '#domain/limits/fair-turns.ts'
import type { Caller } from '#domain/limits/turn-order.ts'
import { Fault } from '../../fault.ts'
import { keptThread } from './kept-thread.ts'
import type { ThreadAnswer } from './thread-answer.ts'

/**
 * Queue limits besides the running question. An address that fills the queue gives way to other addresses, and an
 * agent to other agents of its address.
 */
const TURNS = { atOnce: 1, waitingOfEach: 7, waiting: 7 }

type ThreadInTurn = AsyncDisposable & {
  ask(question: unknown, caller: Caller, signal: AbortSignal): Promise<unknown>
}

/**
 * A thread for questions that would block the event loop. It answers one at a time, and callers take turns. `plural`
 * names the questions in the refusal when too many wait.
 */
export function threadInTurn(file: URL, plural: string): ThreadInTurn {
  const thread = keptThread(file)
  const inTurn = fairTurns(
    TURNS,
    () =>
      new Fault('service_overloaded', `Too many ${plural} are waiting already. Try again in a few seconds.`, {
        retryAfterSeconds: 10,
      }),
  )
  return {
    ask: (question, caller, signal) =>
      inTurn(caller, async () => {
        const answer = toAnswer(await thread.ask(question, signal))
        if (answer.kind === 'done') return answer.result
        const { kind: _, code, message, ...parts } = answer
        throw new Fault(code, message, parts)
      }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

/** The thread posts exactly this type. */
const toAnswer = (message: unknown): ThreadAnswer => message as ThreadAnswer

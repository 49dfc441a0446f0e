import type { DecideAside } from '#api/endpoints/decide-aside.ts'
import { fairTurns } from '#domain/limits/fair-turns.ts'
import type {
  AllocationDecision,
  AllocationQuestion,
  PlanDecision,
  PlanQuestion,
} from '#domain/staking/decisions/decide.ts'
import type { StakeOptions } from '#domain/staking/stake-options.ts'
import { Fault } from '../../fault.ts'
import { type FaultMessage, toFault } from '../threads/fault-message.ts'
import { keptThread } from '../threads/kept-thread.ts'

export type QuestionMessage = {
  readonly market: StakeOptions
  readonly question: AllocationQuestion | PlanQuestion
}

export type DecisionMessage =
  | { readonly kind: 'done'; readonly decision: AllocationDecision | PlanDecision }
  | FaultMessage

/** Queue limits besides the running decision. A caller that fills the queue gives way to others. */
const TURNS = { atOnce: 1, waitingOfEach: 7, waiting: 21 }

/** Decides one question at a time in a worker thread. Callers take turns. */
export function openDecisionThread(): AsyncDisposable & { readonly decide: DecideAside } {
  const thread = keptThread(new URL('./decision-thread.ts', import.meta.url))
  const inTurn = fairTurns(TURNS, tooManyWait)
  return {
    decide: (market, question, { callerId, signal }) =>
      inTurn(callerId, async () => {
        const message: QuestionMessage = { market, question }
        const answer = toAnswer(await thread.ask(message, signal))
        if (answer.kind === 'refused') throw toFault(answer)
        // The thread answers a question with a decision of its kind.
        return answer.decision as never
      }),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

const tooManyWait = () =>
  new Fault(
    'service_overloaded',
    'Too many decisions that take long wait already. Try again in some seconds.',
    {
      retryAfterSeconds: 10,
    },
  )

/** The thread posts exactly this type. */
const toAnswer = (message: unknown): DecisionMessage => message as DecisionMessage

import type { DecideAside } from '#api/endpoints/decisions/decide-aside.ts'
import type { AllocationQuestion, PlanQuestion } from '#domain/staking/decisions/decide.ts'
import type { StakeOptions } from '#domain/staking/stake-options.ts'
import { threadInTurn } from '../threads/thread-in-turn.ts'

export type QuestionMessage = {
  readonly market: StakeOptions
  readonly question: AllocationQuestion | PlanQuestion
}

/** Decides in a thread. */
export function openDecisionThread(): AsyncDisposable & { readonly decide: DecideAside } {
  const thread = threadInTurn(new URL('./decision-thread.ts', import.meta.url), 'long decisions')
  return {
    decide: async (market, question, caller, signal) => {
      const message: QuestionMessage = { market, question }
      // The thread answers a question with a decision of its kind.
      return (await thread.ask(message, caller, signal)) as never
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

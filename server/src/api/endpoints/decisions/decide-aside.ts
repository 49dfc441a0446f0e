import type { Caller } from '#domain/limits/turn-order.ts'
import type {
  AllocationDecision,
  AllocationQuestion,
  PlanDecision,
  PlanQuestion,
} from '#domain/staking/decisions/decide.ts'
import { TooMuchWork, withinWork } from '#domain/staking/solver/capped/search-work.ts'
import type { StakeOptions } from '#domain/staking/stake-options.ts'

type DecisionOn<Question> = Question extends AllocationQuestion ? AllocationDecision : PlanDecision

/** Decides outside the event loop. Callers take turns. */
export type DecideAside = <Question extends AllocationQuestion | PlanQuestion>(
  market: StakeOptions,
  question: Question,
  caller: Caller,
  signal: AbortSignal,
) => Promise<DecisionOn<Question>>

/** Work of a decision on the event loop: about 5 ms. Few questions need more, but contrived ones need seconds. */
const WORK_AT_ONCE = 5_000

type Wanted<Decision, Reply> = {
  readonly toReply: (decision: Decision) => Reply
  /** The refusal that the caller sees. */
  readonly explain: (error: unknown) => unknown
}

/** Decides at once, or aside if that takes too much work for the event loop. */
export function decideSoon<Decision, Reply>(
  atOnce: () => Decision,
  aside: () => Promise<Decision>,
  { toReply, explain }: Wanted<Decision, Reply>,
): Reply | Promise<Reply> {
  try {
    return toReply(withinWork(WORK_AT_ONCE, atOnce))
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw explain(error)
  }
  return aside().then(toReply, (error: unknown) => {
    throw explain(error)
  })
}

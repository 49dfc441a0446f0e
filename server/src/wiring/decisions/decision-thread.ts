import { allocator } from '#domain/staking/allocation/allocation.ts'
import { prepareField } from '#domain/staking/allocation/allocation-field.ts'
import { alternativesIn } from '#domain/staking/allocation/alternatives.ts'
import { decideAllocation, decidePlan } from '#domain/staking/decisions/decide.ts'
import { answerMessages } from '../threads/thread-answer.ts'
import type { QuestionMessage } from './decide-in-thread.ts'

/**
 * About a second, for all rules of a policy together: a contrived question would otherwise keep the thread for as long as
 * a request may take.
 */
const YIELD_WORK = 1_000_000

answerMessages(({ market, question }: QuestionMessage) => {
  if (question.kind === 'plan') return decidePlan(market, question, YIELD_WORK)
  const fieldFor = prepareField(market)
  const prepared = { allocate: allocator(market, fieldFor), alternatives: alternativesIn(market, fieldFor) }
  return decideAllocation(prepared, question, YIELD_WORK)
})

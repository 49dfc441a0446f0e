import { parentPort } from 'node:worker_threads'
import { allocator } from '#domain/staking/allocation/allocation.ts'
import { prepareField } from '#domain/staking/allocation/allocation-field.ts'
import { alternativesIn } from '#domain/staking/allocation/alternatives.ts'
import { decideAllocation, decidePlan } from '#domain/staking/decisions/decide.ts'
import { Fault } from '../../fault.ts'
import { toMessage } from '../threads/fault-message.ts'
import type { DecisionMessage, QuestionMessage } from './decide-in-thread.ts'

parentPort?.on('message', (message: QuestionMessage) => parentPort?.postMessage(answer(message)))

function answer(message: QuestionMessage): DecisionMessage {
  try {
    return { kind: 'done', decision: decide(message) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return toMessage(error)
  }
}

function decide({ market, question }: QuestionMessage) {
  if (question.kind === 'plan') return decidePlan(market, question)
  const fieldFor = prepareField(market)
  const prepared = { allocate: allocator(market, fieldFor), alternatives: alternativesIn(market, fieldFor) }
  return decideAllocation(prepared, question)
}

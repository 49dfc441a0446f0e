import { performance } from 'node:perf_hooks'
import type { Timeouts } from '#adapters/sql/postgres/connections/session.ts'
import type { QueueByAgent } from '#adapters/sql/stores/policy/lock-agent.ts'
import { queuePerCaller } from '#domain/limits/fair-turns.ts'
import { Fault } from '../fault.ts'

/**
 * The longest queue of an agent: about as many transactions as a store commits in half a second, one after the other.
 */
const MAX_WAITING = 100

/**
 * Serializes the transactions of each agent in a queue. A request that has waited longer than the store's timeouts is
 * refused; an embedded store has no timeouts.
 */
export function agentQueues(timeouts?: Timeouts, now: () => number = () => performance.now()): QueueByAgent {
  const maxWaitMs = timeouts ? timeouts.connectMs + timeouts.statementMs : Number.POSITIVE_INFINITY
  const queueByAgent = queuePerCaller(MAX_WAITING, tooManyAtOnce)
  return (agentNo, work) => {
    const askedAt = now()
    return queueByAgent(String(agentNo), () => {
      if (now() - askedAt > maxWaitMs) throw tooManyAtOnce()
      return work()
    })
  }
}

function tooManyAtOnce(): Fault {
  const fix = 'Send fewer requests of this agent at once, and this one again in a few seconds.'
  return new Fault(
    'service_overloaded',
    `Too many requests of this agent are queued, and this one was not carried out. ${fix}`,
    { fix, retryAfterSeconds: 2 },
  )
}

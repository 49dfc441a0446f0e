import { performance } from 'node:perf_hooks'
import type { Timeouts } from '#adapters/sql/postgres/connections/session.ts'
import type { AgentTurns } from '#adapters/sql/stores/policy/lock-agent.ts'
import { ownTurns } from '#domain/limits/fair-turns.ts'
import { Fault } from '../fault.ts'

/** Requests of one agent that may wait: as many as a store commits one after the other in about half a second. */
const MOST_WAITING = 100

/**
 * The queues of agents before their transactions. Who has waited as long as a request may wait for the store is
 * refused; an embedded store has no such limit.
 */
export function agentTurns(timeouts?: Timeouts, now: () => number = () => performance.now()): AgentTurns {
  const patienceMs = timeouts ? timeouts.connectMs + timeouts.statementMs : Number.POSITIVE_INFINITY
  const inTurn = ownTurns(MOST_WAITING, tooManyAtOnce)
  return (agentNo, work) => {
    const askedAt = now()
    return inTurn(String(agentNo), () => {
      if (now() - askedAt > patienceMs) throw tooManyAtOnce()
      return work()
    })
  }
}

function tooManyAtOnce(): Fault {
  const fix = 'Send fewer requests of this agent at once, and this one again in some seconds.'
  return new Fault(
    'service_overloaded',
    `Too many requests of this agent wait for each other, and nothing was done for this one. ${fix}`,
    { fix, retryAfterSeconds: 2 },
  )
}

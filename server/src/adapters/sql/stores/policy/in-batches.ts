import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'
import type { QueueByAgent } from './lock-agent.ts'

/** Upper bound of requests per transaction: the agent is locked until its commit. */
const LARGEST_BATCH = 64

type Waiting<Terms, Outcome> = PromiseWithResolvers<Outcome> & {
  readonly agentNo: number
  readonly terms: Terms
}

/** Decides the requests in order, each after those before it. An error is the outcome of one request only. */
type Decide<Terms, Outcome> = (
  agentNo: number,
  batch: readonly Terms[],
) => Promise<readonly (Outcome | Error)[]>

/**
 * Decides the waiting requests of an agent in one transaction, in order of arrival: a transaction for each would cost
 * more than the rest of the request. Each request takes its own turn, so that the limit of waiting turns applies to
 * it.
 */
export function inBatches<Terms, Outcome>(queueByAgent: QueueByAgent, decide: Decide<Terms, Outcome>) {
  const waiting = new Set<Waiting<Terms, Outcome>>()

  function take(agentNo: number): readonly Waiting<Terms, Outcome>[] {
    const batch = [...waiting].filter((one) => one.agentNo === agentNo).slice(0, LARGEST_BATCH)
    for (const one of batch) waiting.delete(one)
    return batch
  }

  async function decideNext(agentNo: number): Promise<void> {
    // Requests that were admitted in one batch arrive in the same turn of the event loop.
    await nextTurnOfEventLoop()
    const batch = take(agentNo)
    try {
      const outcomes = await decide(
        agentNo,
        batch.map(({ terms }) => terms),
      )
      batch.forEach(({ resolve, reject }, place) => {
        const outcome = outcomes[place]
        if (outcome === undefined || outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (agentNo: number, terms: Terms): Promise<Outcome> => {
    const own = { agentNo, terms, ...Promise.withResolvers<Outcome>() }
    waiting.add(own)
    queueByAgent(agentNo, async () => {
      if (waiting.has(own)) await decideNext(agentNo)
    }).catch((refusal: unknown) => {
      // A request that an earlier turn has taken gets its outcome from that turn.
      if (waiting.delete(own)) own.reject(refusal)
    })
    return own.promise
  }
}

import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises'
import type { AgentTurns } from './lock-agent.ts'

/** Most that are decided in one transaction, because the agent is locked until its commit. */
const LARGEST_BATCH = 64

type Waiting<Terms, Outcome> = PromiseWithResolvers<Outcome> & {
  readonly agentNo: number
  readonly terms: Terms
}

/** Decides in order, each with what was decided before it. An error concerns only the one in its place. */
type Decide<Terms, Outcome> = (
  agentNo: number,
  batch: readonly Terms[],
) => Promise<readonly (Outcome | Error)[]>

/**
 * Decides in one transaction what waits for the same agent, in the order in which it came: a transaction for each would
 * cost more than all the rest of a request. Each waits for its own turn, so that no more wait than for other changes.
 */
export function inBatches<Terms, Outcome>(inTurn: AgentTurns, decide: Decide<Terms, Outcome>) {
  const waiting = new Set<Waiting<Terms, Outcome>>()

  function take(agentNo: number): readonly Waiting<Terms, Outcome>[] {
    const batch = [...waiting].filter((one) => one.agentNo === agentNo).slice(0, LARGEST_BATCH)
    for (const one of batch) waiting.delete(one)
    return batch
  }

  async function decideNext(agentNo: number): Promise<void> {
    // Requests that were admitted together come together.
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
    inTurn(agentNo, async () => {
      if (waiting.has(own)) await decideNext(agentNo)
    }).catch((refusal: unknown) => {
      // One that an earlier turn has taken gets the outcome of that turn.
      if (waiting.delete(own)) own.reject(refusal)
    })
    return own.promise
  }
}

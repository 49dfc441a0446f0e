import type { Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'

type Needs = { readonly chain: Pick<StakingChain, 'simulate'>; readonly logger: Logger }

const NO_SENDER = 'A transaction is simulated for its sender: name the `sender`.'
const NOT_OFFERED = 'This chain offers no simulation.'
const NO_ANSWER = 'No node simulated it in time.'

/**
 * Lets a node simulate a built transaction. A build does not fail without a simulation: the answer is then
 * `unavailable` with the reason.
 */
export function simulateTransactions({ chain, logger }: Needs) {
  return async (request: SimulationRequest | undefined, deadline: AbortSignal): Promise<Simulation> => {
    if (request === undefined) return { kind: 'unavailable', reason: NO_SENDER }
    if (chain.simulate === undefined) return { kind: 'unavailable', reason: NOT_OFFERED }
    try {
      return await chain.simulate(request, deadline)
    } catch (error) {
      logger.warn('a transaction was not simulated', {
        reason: error instanceof Error ? error.message : String(error),
      })
      return { kind: 'unavailable', reason: reasonOf(error) }
    }
  }
}

/** An `AggregateError` without errors means that no node was asked. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Fault) || !error.retryAfterSeconds) return NO_ANSWER
  const wasAsked = !(error.cause instanceof AggregateError) || error.cause.errors.length > 0
  return wasAsked
    ? NO_ANSWER
    : `No node was asked: their limits are used up, or they asked for a pause. Build it again in ${error.retryAfterSeconds} s to have it simulated.`
}

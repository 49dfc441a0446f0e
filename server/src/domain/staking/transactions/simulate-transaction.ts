import type { Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'
import { Fault } from '../../../fault.ts'

type Needs = { readonly chain: Pick<StakingChain, 'simulate'>; readonly logger: Logger }

const NO_SENDER = 'A transaction is simulated for its sender: name the `sender`.'
const NOT_OFFERED = 'This chain offers no simulation.'
const NO_ANSWER = 'No node simulated it in time.'

/**
 * What a built transaction would do now, by the word of the chain itself. A build does not fail for want of it: then
 * the answer says that nobody could tell, and why.
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

/** Without a failure of a node none was asked. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Fault) || !error.retryAfterSeconds) return NO_ANSWER
  const wasAsked = !(error.cause instanceof AggregateError) || error.cause.errors.length > 0
  return wasAsked
    ? NO_ANSWER
    : `No node was asked: their limits are used up, or they asked for a pause. Build it again in ${error.retryAfterSeconds} s to have it simulated.`
}

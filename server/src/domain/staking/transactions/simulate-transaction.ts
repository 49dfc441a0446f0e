import type { Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Logger } from '#ports/logger.ts'

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
      return { kind: 'unavailable', reason: NO_ANSWER }
    }
  }
}

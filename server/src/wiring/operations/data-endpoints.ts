import type { Endpoints } from '#api/endpoint.ts'
import { accuracyEndpoints } from '#api/endpoints/accuracy.ts'
import { agentEndpoints } from '#api/endpoints/agent.ts'
import { allocationEndpoints } from '#api/endpoints/decisions/allocation.ts'
import { backtestEndpoints } from '#api/endpoints/decisions/backtest.ts'
import { networkEndpoints } from '#api/endpoints/network.ts'
import { positionEndpoints } from '#api/endpoints/positions.ts'
import { sandboxEndpoints } from '#api/endpoints/sandbox.ts'
import { validatorEndpoints } from '#api/endpoints/validators.ts'
import { wholeNetworkEndpoints } from '#api/endpoints/whole-network.ts'
import { issueSandboxKey } from '#domain/agents/registration/sandbox-keys.ts'
import type { PoliciesInForce } from '#domain/policy/policies-in-force.ts'
import { readPositions } from '#domain/staking/read-positions.ts'
import { readHeldTokens } from '#domain/staking/rebalance/read-held-tokens.ts'
import { readRewards } from '#domain/staking/rewards/read-rewards.ts'
import { NETWORK_RULES } from '../../networks.ts'
import type { NetworkState } from './network-state.ts'
import { sandboxKeys } from './sandbox-keys.ts'
import type { Wired } from './wired.ts'

/** The endpoints of data and decisions, which read the network state. `refresh` reads the chain now. */
export function dataEndpoints(
  wired: Wired,
  { network, price }: NetworkState,
  inForce: PoliciesInForce,
  refresh: () => Promise<void>,
): Endpoints {
  const { clock, version } = wired.runtime
  const { chain, sandbox, forecasts } = wired.parts
  const perAddress = wired.config.limits.ipPerMinute
  const positionsOf = readPositions({ chain, network })
  return {
    ...validatorEndpoints({ network }),
    ...wholeNetworkEndpoints({ network }),
    ...networkEndpoints({ network, price, clock, version }),
    ...accuracyEndpoints({ network, forecasts }),
    ...agentEndpoints({ network, perAddress }),
    ...allocationEndpoints({
      network,
      heldTokens: readHeldTokens({ chain }),
      inForce,
      clock,
      decideAside: wired.parts.decideAside,
    }),
    ...backtestEndpoints({ network, run: wired.parts.runBacktest }),
    ...positionEndpoints({ chain, network, positionsOf, rewardsOf: readRewards({ positionsOf }) }),
    ...(sandbox &&
      sandboxEndpoints({
        sandbox,
        commandsFor: chain.commandsFor,
        issueKey: issueSandboxKey(sandboxKeys(wired)),
        network,
        networkIdOf: (client) => wired.parts.secrets.digest('address', `sandbox ${client}`),
        refresh,
        perAddress,
        token: NETWORK_RULES[chain.network].token,
      })),
  }
}

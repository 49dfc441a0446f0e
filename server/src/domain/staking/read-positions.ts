import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { CurrentNetwork } from '../network/current-network.ts'
import type { NetworkView } from '../network/network-view.ts'
import { membershipOf, startOfEpoch, stateOf, type TokenState, withdrawalPath } from './epoch-rules.ts'

export type Position = {
  readonly token: StakedToken
  readonly state: TokenState
  /** The action that the owner may take now. */
  readonly next: 'unstake' | 'withdraw' | 'wait'
  /** The time from which it can be withdrawn, for a token whose withdrawal was requested or that is bound. */
  readonly availableAt: number | undefined
}

type Needs = { readonly chain: StakingChain; readonly network: CurrentNetwork }

/** The staked tokens of an address, and the action that the rules of the current epoch allow for each. */
export function readPositions({ chain, network }: Needs) {
  return async (
    owner: string,
    deadline: AbortSignal,
  ): Promise<{ readonly view: NetworkView; readonly positions: readonly Position[] }> => {
    const tokens = await chain.stakedTokensOf(owner, deadline)
    const view = network.read()
    return { view, positions: tokens.map((token) => toPosition(token, view)) }
  }
}

const NEXT = { withdraw_now: 'withdraw', request: 'unstake', wait: 'wait' } as const

function toPosition(token: StakedToken, { snapshot, byId }: NetworkView): Position {
  const membership = membershipOf(byId.get(token.validatorId)?.validator)
  const next = NEXT[withdrawalPath(token, membership, snapshot).kind]
  const from = token.withdrawEpoch ?? token.boundUntil
  const availableAt = from === undefined ? undefined : startOfEpoch(snapshot, from)
  return { token, state: stateOf(token, snapshot.epoch.number), next, availableAt }
}

import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import type { CurrentNetwork } from '../network/current-network.ts'
import type { NetworkView } from '../network/network-view.ts'
import { membershipOf, startOfEpoch, stateOf, type TokenState, withdrawalPath } from './epoch-rules.ts'

export type Position = {
  readonly token: StakedToken
  readonly state: TokenState
  /** What its owner may do now. */
  readonly next: 'unstake' | 'withdraw' | 'wait'
  /** When it can be withdrawn, for a token whose withdrawal was requested or that is bound. */
  readonly availableAt: number | undefined
}

type Needs = { readonly chain: StakingChain; readonly network: CurrentNetwork }

/** The staked tokens of an address, and what may be done with each by the rules of the present epoch. */
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

import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { MAX_AMOUNT } from '../../amount.ts'
import type { NetworkView } from '../../network/network-view.ts'
import type { PlannedAction } from './plan-action.ts'
import * as refuse from './transaction-refusals.ts'
import { joinSummary } from './transaction-summary.ts'

export type JoinRequest = {
  readonly stakedTokenIds: readonly string[]
  readonly sender: string | undefined
}

const unknown = (at: number, sender: string | undefined): never => {
  throw refuse.unknownJoined(at, sender)
}

/** The properties that all joined tokens must have in common, with their names for refusals. */
const ALIKE: readonly (readonly [what: string, of: (token: StakedToken) => string])[] = [
  ['validator', ({ validatorId }) => validatorId],
  ['activation epoch', ({ activationEpoch }) => `${activationEpoch}`],
  [
    'state',
    ({ withdrawEpoch }) => (withdrawEpoch === undefined ? 'staked' : `withdrawn in ${withdrawEpoch}`),
  ],
]

/**
 * Plans a join of several tokens into one. The contracts join only tokens that are alike except for their
 * principal.
 */
export function planJoin(
  { snapshot }: NetworkView,
  found: readonly StakedToken[],
  { stakedTokenIds, sender }: JoinRequest,
): PlannedAction {
  const [first, ...others] = stakedTokenIds.map((id, at) => {
    if (stakedTokenIds.indexOf(id) < at) throw refuse.joinedTwice(at)
    return found.find((token) => token.id === id) ?? unknown(at, sender)
  })
  if (!first) throw refuse.unknownJoined(0, sender)
  for (const [at, token] of [first, ...others].entries()) {
    if (token.owner !== (sender ?? first.owner)) throw refuse.notTheOwner(token)
    const unlike = ALIKE.find(([, of]) => of(token) !== of(first))
    if (unlike) throw refuse.unlikeTokens(at, unlike[0], unlike[1](token), unlike[1](first))
  }
  const joined = others.reduce((sum, { principal }) => sum + principal, 0n)
  if (first.principal + joined > MAX_AMOUNT) throw refuse.joinedTooLarge()
  return {
    action: { kind: 'join', stakedTokenIds },
    epoch: snapshot.epoch.number,
    summary: joinSummary(snapshot, first, {
      amount: first.principal + joined,
      tokens: stakedTokenIds.length,
    }),
    warnings: [],
    moved: {
      validatorId: first.validatorId,
      amount: joined,
      owner: first.owner,
      token: { id: first.id, principal: first.principal },
      joinedIds: others.map(({ id }) => id),
    },
    leaving: undefined,
  }
}

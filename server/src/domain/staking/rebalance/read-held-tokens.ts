import type { StakedToken, StakingChain } from '#ports/chain/staking-chain.ts'
import { Fault, wrongField } from '../../../fault.ts'
import { smaller } from '../../amount.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { hasTwoSteps } from '../epoch-rules.ts'
import { checkPositions } from './check-positions.ts'
import { assumedToken, type HeldToken, type Position } from './held-token.ts'

/** What the caller holds: named token by token, or everything an address owns. */
export type HeldRequest =
  | { readonly kind: 'positions'; readonly positions: readonly Position[]; readonly field: string }
  | { readonly kind: 'owner'; readonly owner: string }

export type HeldTokens = {
  readonly tokens: readonly HeldToken[]
  /** Assumptions about tokens that could not be read from the chain. */
  readonly assumptions: readonly string[]
}

/** Most tokens of one plan. */
const MAX_TOKENS = 500

/** The caller's staked tokens with the rewards and the state that the chain knows of. */
export function readHeldTokens({ chain }: { readonly chain: StakingChain }) {
  return async (request: HeldRequest, view: NetworkView, deadline: AbortSignal): Promise<HeldTokens> => {
    if (request.kind === 'owner') {
      const owned = await chain.stakedTokensOf(request.owner, deadline)
      const free = withoutBound(checkedCount(owned).toSorted(byTokenId), view)
      const listed = withoutUnlisted(free.tokens.map(toHeld), view)
      return { tokens: listed.tokens, assumptions: [...free.assumptions, ...listed.assumptions] }
    }
    checkPositions(request.positions, (id) => stakeWith(view, id), request.field)
    return completePositions(request.positions, await lookUp(chain, request.positions, deadline), view)
  }
}

/** What lies with a validator now or in the next epoch, whichever is more, and what waits to be withdrawn. */
function stakeWith({ byId }: NetworkView, id: string): bigint | undefined {
  const validator = byId.get(id)?.validator
  if (!validator) return undefined
  const { stake, nextStake, withdrawingStake, claimableStake = 0n } = validator
  return stake + nextStake - smaller(stake, nextStake) + withdrawingStake + claimableStake
}

type LookUp =
  | { readonly kind: 'read'; readonly tokens: ReadonlyMap<string, StakedToken> }
  | { readonly kind: 'unreachable' }

async function lookUp(
  chain: StakingChain,
  positions: readonly Position[],
  deadline: AbortSignal,
): Promise<LookUp> {
  const ids = positions.map(({ stakedTokenId }) => stakedTokenId)
  try {
    const tokens = await chain.stakedTokens(ids, deadline)
    return { kind: 'read', tokens: new Map(tokens.map((token) => [token.id, token])) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'rpc_unavailable') return { kind: 'unreachable' }
    throw error
  }
}

/** Figures of the chain take precedence over the caller's. */
function completePositions(positions: readonly Position[], found: LookUp, view: NetworkView): HeldTokens {
  if (found.kind === 'unreachable') {
    return {
      tokens: positions.map(assumedToken),
      assumptions: ['The chain could not be asked: every token is taken as active, without accrued rewards.'],
    }
  }
  const assumptions: string[] = []
  const tokens = positions.flatMap((position) => {
    const { stakedTokenId, principal, validatorId } = position
    const token = found.tokens.get(stakedTokenId.toLowerCase())
    if (!token) {
      assumptions.push(
        `${stakedTokenId} is not on the chain: it is taken as active, without accrued rewards, as you describe it.`,
      )
      return assumedToken(position)
    }
    if (token.principal !== principal || token.validatorId !== validatorId) {
      assumptions.push(
        `${stakedTokenId} has a principal of ${token.principal} with ${token.validatorId} on the chain: the plan uses these.`,
      )
    }
    const free = withoutBound([token], view)
    assumptions.push(...free.assumptions)
    return free.tokens.map(toHeld)
  })
  return { tokens, assumptions }
}

/** What is with a validator that is about to join cannot be had before, and what it will earn there is not known yet. */
function withoutBound(tokens: readonly StakedToken[], { snapshot }: NetworkView) {
  const isBound = ({ boundUntil = 0 }: StakedToken): boolean => boundUntil > snapshot.epoch.number
  return {
    tokens: tokens.filter((token) => !isBound(token)),
    assumptions: tokens
      .filter(isBound)
      .map(
        ({ id, boundUntil }) =>
          `${id} is left out: its validator joins in epoch ${boundUntil}, and the chain pays nothing out before. Ask again then.`,
      ),
  }
}

/**
 * Where withdrawing has two steps, nothing can be built for a token whose validator the data do not list yet. Sui lists
 * only its committee, and pays out at once wherever the validator is.
 */
function withoutUnlisted(tokens: readonly HeldToken[], { snapshot, byId }: NetworkView): HeldTokens {
  if (!hasTwoSteps(snapshot.network)) return { tokens, assumptions: [] }
  const [listed, unlisted] = [true, false].map((wanted) =>
    tokens.filter(({ validatorId }) => byId.has(validatorId) === wanted),
  )
  return {
    tokens: listed ?? [],
    assumptions: (unlisted ?? []).map(
      ({ stakedTokenId }) =>
        `${stakedTokenId} is left out: its validator is not in the chain data yet. Ask again shortly.`,
    ),
  }
}

function checkedCount(tokens: readonly StakedToken[]): readonly StakedToken[] {
  if (tokens.length <= MAX_TOKENS) return tokens
  throw wrongField('owner', `holds ${tokens.length} staked tokens, more than the ${MAX_TOKENS} of one plan`, {
    instead: 'name some of them in `positions`',
  })
}

/** As `positions` lists them: the plan of an owner is the plan of its listed tokens, whatever order a node has. */
const byTokenId = (a: StakedToken, b: StakedToken): number => (a.id < b.id ? -1 : 1)

const toHeld = ({ id, owner: _, ...token }: StakedToken): HeldToken => ({ ...token, stakedTokenId: id })
